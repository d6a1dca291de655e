import type { Environment, Organization } from "../shell/Project.tsx"
import { unknownAmong } from "../text/Unknown.ts"
import type { KeyDraft } from "./keys/KeyScope.ts"

interface Props {
  readonly organization: Organization
  readonly environments: ReadonlyArray<Environment>
  readonly draft: KeyDraft
  readonly onChange: (change: Partial<KeyDraft>) => void
}

const toggled = (ids: ReadonlyArray<number>, id: number): ReadonlyArray<number> =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]

/** The projects and environments in which a key works. */
export const ScopeFields = ({ organization, environments, draft, onChange }: Props) => {
  const { applications } = organization
  const covered = environments.filter(
    ({ applicationId }) => draft.allProjects || draft.applicationIds.includes(applicationId)
  )
  const placeOf = ({ name, applicationId }: Environment) =>
    draft.allProjects || draft.applicationIds.length > 1
      ? `${applications.find(({ id }) => id === applicationId)?.name ?? ""}: ${name}`
      : name
  const choices = [
    ...covered.map((each) => ({ id: each.id, name: placeOf(each) })),
    ...unknownAmong(draft.environmentIds, environments, "Environment")
  ]
  return (
    <>
      <fieldset className="scope">
        <legend>Projects</legend>
        {draft.type !== "public" && (
          <label className="check">
            <input
              type="checkbox"
              checked={draft.allProjects}
              onChange={({ currentTarget }) => onChange({ allProjects: currentTarget.checked })}
            />
            All, also those to come
          </label>
        )}
        {!draft.allProjects &&
          [...applications, ...unknownAmong(draft.applicationIds, applications, "Project")].map(({ id, name }) => (
            <label key={id} className="check">
              <input
                type={draft.type === "public" ? "radio" : "checkbox"}
                name="project"
                checked={draft.applicationIds.includes(id)}
                onChange={() =>
                  onChange({ applicationIds: draft.type === "public" ? [id] : toggled(draft.applicationIds, id) })
                }
              />
              {name}
            </label>
          ))}
      </fieldset>
      <fieldset className="scope">
        <legend>Environments</legend>
        {choices.map(({ id, name }) => (
          <label key={id} className="check">
            <input
              type="checkbox"
              checked={draft.environmentIds.includes(id)}
              onChange={() => onChange({ environmentIds: toggled(draft.environmentIds, id) })}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </>
  )
}
