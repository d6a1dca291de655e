import type { Permission } from "../../../domain/access/Permission.ts"
import { permissionWords } from "../Permissions.ts"

interface Props {
  readonly before: ReadonlyArray<Permission>
  readonly after: ReadonlyArray<Permission>
}

const List = ({
  title,
  tone,
  permissions
}: {
  readonly title: string
  readonly tone: "gained" | "lost"
  readonly permissions: ReadonlyArray<Permission>
}) =>
  permissions.length === 0 ? null : (
    <div className={`role-${tone}`}>
      <b>{title}</b>
      <ul className="plain-list">
        {permissions.map((permission) => (
          <li key={permission}>
            {permissionWords[permission]} <code>{permission}</code>
          </li>
        ))}
      </ul>
    </div>
  )

/** What changes for who holds the one and then the other. */
export const RoleChange = ({ before, after }: Props) => (
  <div className="role-change">
    <List title="Gains" tone="gained" permissions={after.filter((each) => !before.includes(each))} />
    <List title="Loses" tone="lost" permissions={before.filter((each) => !after.includes(each))} />
  </div>
)
