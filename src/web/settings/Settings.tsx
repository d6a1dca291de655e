import { Link, Redirect, Route, Switch, useLocation } from "wouter"
import { useMe } from "../api/queries.ts"
import { ownerPages, subPages } from "../shell/PageList.ts"
import { InsteadOfPage } from "../shell/InsteadOfPage.tsx"
import { useProject } from "../shell/Project.tsx"
import { loadable, skeleton } from "../ui/Loadable.tsx"
import { Empty } from "../ui/States.tsx"
import "../theme/readOnly.css"
import "../theme/settings.css"

const ProjectSettings = loadable(
  () => import("./ProjectSettings.tsx").then((chunk) => ({ default: chunk.ProjectSettings })),
  skeleton()
)
const Environments = loadable(
  () => import("./Environments.tsx").then((chunk) => ({ default: chunk.Environments })),
  skeleton()
)
const Keys = loadable(() => import("./keys/Keys.tsx").then((chunk) => ({ default: chunk.Keys })), skeleton())
const Members = loadable(() => import("./Members.tsx").then((chunk) => ({ default: chunk.Members })), skeleton())
const Roles = loadable(() => import("./roles/Roles.tsx").then((chunk) => ({ default: chunk.Roles })), skeleton())
const Webhooks = loadable(
  () => import("./webhooks/Webhooks.tsx").then((chunk) => ({ default: chunk.Webhooks })),
  skeleton()
)
const AuditLog = loadable(() => import("./AuditLog.tsx").then((chunk) => ({ default: chunk.AuditLog })), skeleton())
const OrganizationSettings = loadable(
  () => import("./OrganizationSettings.tsx").then((chunk) => ({ default: chunk.OrganizationSettings })),
  skeleton()
)
const Account = loadable(() => import("./Account.tsx").then((chunk) => ({ default: chunk.Account })), skeleton())
const Server = loadable(() => import("./server/Server.tsx").then((chunk) => ({ default: chunk.Server })), skeleton())

/** What is set once: the project, who may do what in it, and one's own account. */
export const Settings = () => {
  const { applicationId, environment, organization } = useProject()
  const [path] = useLocation()
  const me = useMe()
  const listed = me.data?.ownsServer === true ? [...subPages, ...ownerPages] : subPages
  const home = `/p/${applicationId}/${environment.alias}`
  return (
    <div className="settings">
      <nav className="settings-nav" aria-label="Settings">
        {listed.map(([to, , name]) => (
          <Link key={to} href={`${home}/${to}`} aria-current={path === `${home}/${to}` ? "page" : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <Switch>
        <Route path="/p/:applicationId/:environment/settings/project" component={ProjectSettings} />
        <Route path="/p/:applicationId/:environment/settings/environments" component={Environments} />
        <Route path="/p/:applicationId/:environment/settings/account" component={Account} />
        <Route path="/p/:applicationId/:environment/settings/server" component={Server} />
        <Route path="/p/:applicationId/:environment/settings">
          <Redirect to={`${home}/settings/project`} replace />
        </Route>
        {organization === null ? (
          <Route>
            <InsteadOfPage>
              <Empty title="Not your organization">You are no member of the organization of this project.</Empty>
            </InsteadOfPage>
          </Route>
        ) : (
          <Switch>
            <Route path="/p/:applicationId/:environment/settings/keys">
              <Keys organization={organization} />
            </Route>
            <Route path="/p/:applicationId/:environment/settings/members">
              <Members organization={organization} />
            </Route>
            <Route path="/p/:applicationId/:environment/settings/roles">
              <Roles organization={organization} />
            </Route>
            <Route path="/p/:applicationId/:environment/settings/webhooks">
              <Webhooks organization={organization} />
            </Route>
            <Route path="/p/:applicationId/:environment/settings/changes">
              <AuditLog organization={organization} />
            </Route>
            <Route path="/p/:applicationId/:environment/settings/organization">
              <OrganizationSettings organization={organization} />
            </Route>
            <Route>
              <InsteadOfPage>
                <Empty title="There is no such page">Choose one on the left.</Empty>
              </InsteadOfPage>
            </Route>
          </Switch>
        )}
      </Switch>
    </div>
  )
}
