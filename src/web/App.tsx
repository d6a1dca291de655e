import { lazy, Suspense } from "react"
import { Redirect, Route, Switch } from "wouter"
import { Invitation } from "./account/Invitation.tsx"
import { SignIn } from "./account/SignIn.tsx"
import { SignUp } from "./account/SignUp.tsx"
import { Project } from "./shell/Project.tsx"
import { Shell } from "./shell/Shell.tsx"
import { SignedIn } from "./shell/SignedIn.tsx"
import { Start } from "./shell/Start.tsx"
import { Empty, Skeleton } from "./ui/States.tsx"

const Insights = lazy(() => import("./insights/Insights.tsx").then((page) => ({ default: page.Insights })))
const Funnels = lazy(() => import("./funnels/Funnels.tsx").then((page) => ({ default: page.Funnels })))
const Retention = lazy(() => import("./retention/Retention.tsx").then((page) => ({ default: page.Retention })))
const LiveMarkers = lazy(() => import("./markers/LiveMarkers.tsx").then((page) => ({ default: page.LiveMarkers })))
const Setup = lazy(() => import("./setup/Setup.tsx").then((page) => ({ default: page.Setup })))

const NotFound = () => (
  <Empty title="There is no such page">
    The address may be mistyped. <a href="/">Go to the first page</a>
  </Empty>
)

/** Pages of a project. */
const Pages = () => (
  <Switch>
    <Route path="/p/:applicationId/:environment/insights" component={Insights} />
    <Route path="/p/:applicationId/:environment/funnels" component={Funnels} />
    <Route path="/p/:applicationId/:environment/retention" component={Retention} />
    <Route path="/p/:applicationId/:environment/markers" component={LiveMarkers} />
    <Route path="/p/:applicationId/:environment/setup" component={Setup} />
    <Route component={NotFound} />
  </Switch>
)

export const App = () => (
  <Switch>
    <Route path="/signin">
      <SignIn />
    </Route>
    <Route path="/signup">
      <SignUp />
    </Route>
    <Route path="/invite/:token">{({ token }) => <Invitation token={token} />}</Route>
    <Route path="/">
      <SignedIn>
        <Start />
      </SignedIn>
    </Route>
    <Route path="/p/:applicationId/:environment">
      {({ applicationId, environment }) => <Redirect to={`/p/${applicationId}/${environment}/insights`} replace />}
    </Route>
    <Route path="/p/:applicationId/:environment/*">
      {({ applicationId, environment }) => (
        <SignedIn>
          <Project applicationId={Number(applicationId)} environment={environment}>
            <Shell>
              <Suspense fallback={<Skeleton />}>
                <Pages />
              </Suspense>
            </Shell>
          </Project>
        </SignedIn>
      )}
    </Route>
    <Route>
      <main className="alone">
        <NotFound />
      </main>
    </Route>
  </Switch>
)
