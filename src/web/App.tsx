import { Route, Switch } from "wouter"
import { InsteadOfAll, InsteadOfPage } from "./shell/InsteadOfPage.tsx"
import { page, pageWithin } from "./shell/PageChunks.ts"
import { Landing } from "./shell/Landing.tsx"
import { Project } from "./shell/Project.tsx"
import { Shell } from "./shell/Shell.tsx"
import { SignedIn } from "./shell/SignedIn.tsx"
import { loadable, skeleton } from "./ui/Loadable.tsx"
import { Empty } from "./ui/States.tsx"

const Insights = page("insights", () =>
  import("./insights/Insights.tsx").then((chunk) => ({ default: chunk.Insights, begin: chunk.begin }))
)
const Funnels = page("funnels", () => import("./funnels/Funnels.tsx").then((chunk) => ({ default: chunk.Funnels })))
const Retention = page("retention", () =>
  import("./retention/Retention.tsx").then((chunk) => ({ default: chunk.Retention }))
)
const Heatmaps = page("heatmaps", () =>
  import("./heatmaps/Heatmaps.tsx").then((chunk) => ({ default: chunk.Heatmaps }))
)
const Configurations = page("configurations", () =>
  import("./configurations/Configurations.tsx").then((chunk) => ({ default: chunk.Configurations }))
)
const Experiments = page("experiments", () =>
  import("./experiments/Experiments.tsx").then((chunk) => ({ default: chunk.Experiments }))
)
const NewExperiment = pageWithin(() =>
  import("./experiments/NewExperiment.tsx").then((chunk) => ({ default: chunk.NewExperiment }))
)
const Deeplinks = page("deeplinks", () =>
  import("./deeplinks/Deeplinks.tsx").then((chunk) => ({ default: chunk.Deeplinks }))
)
const LiveMarkers = page("markers", () =>
  import("./markers/LiveMarkers.tsx").then((chunk) => ({ default: chunk.LiveMarkers }))
)
const Players = page("players", () => import("./players/Players.tsx").then((chunk) => ({ default: chunk.Players })))
const Player = pageWithin(() => import("./players/Player.tsx").then((chunk) => ({ default: chunk.Player })))
const Cohorts = page("cohorts", () => import("./cohorts/Cohorts.tsx").then((chunk) => ({ default: chunk.Cohorts })))
const CohortPage = pageWithin(() => import("./cohorts/CohortPage.tsx").then((chunk) => ({ default: chunk.CohortPage })))
const CohortEditor = pageWithin(() =>
  import("./cohorts/CohortEditor.tsx").then((chunk) => ({ default: chunk.CohortEditor }))
)
const ExperimentPage = pageWithin(() =>
  import("./experiments/ExperimentPage.tsx").then((chunk) => ({ default: chunk.ExperimentPage }))
)
const TrackingPlan = page("plan", () =>
  import("./markers/TrackingPlan.tsx").then((chunk) => ({ default: chunk.TrackingPlan }))
)
const SavedQuestions = page("saved", () =>
  import("./saved/SavedQuestions.tsx").then((chunk) => ({ default: chunk.SavedQuestions }))
)
const Boards = page("boards", () => import("./boards/Boards.tsx").then((chunk) => ({ default: chunk.Boards })))
const Alerts = page("alerts", () => import("./alerts/Alerts.tsx").then((chunk) => ({ default: chunk.Alerts })))
const Home = page("home", () => import("./home/Home.tsx").then((chunk) => ({ default: chunk.Home })))
const Setup = page("setup", () => import("./setup/Setup.tsx").then((chunk) => ({ default: chunk.Setup })))

const Settings = page("settings", () =>
  import("./settings/Settings.tsx").then((chunk) => ({ default: chunk.Settings }))
)

const SignIn = loadable(() => import("./account/SignIn.tsx").then((chunk) => ({ default: chunk.SignIn })), skeleton())
const SignUp = loadable(() => import("./account/SignUp.tsx").then((chunk) => ({ default: chunk.SignUp })), skeleton())
const ForgotPassword = loadable(
  () => import("./account/ForgotPassword.tsx").then((chunk) => ({ default: chunk.ForgotPassword })),
  skeleton()
)
const ResetPassword = loadable(
  () => import("./account/ResetPassword.tsx").then((chunk) => ({ default: chunk.ResetPassword })),
  skeleton()
)
const Invitation = loadable(
  () => import("./account/Invitation.tsx").then((chunk) => ({ default: chunk.Invitation })),
  skeleton()
)
const Start = loadable(() => import("./shell/Start.tsx").then((chunk) => ({ default: chunk.Start })), skeleton())

const NotFound = () => (
  <Empty title="There is no such page">
    The address may be mistyped. <a href="/">Go to the first page</a>
  </Empty>
)

const NoSuchPage = () => (
  <InsteadOfPage>
    <NotFound />
  </InsteadOfPage>
)

/** Pages of a project. */
const Pages = () => (
  <Switch>
    <Route path="/p/:applicationId/:environment/insights" component={Insights} />
    <Route path="/p/:applicationId/:environment/funnels" component={Funnels} />
    <Route path="/p/:applicationId/:environment/retention" component={Retention} />
    <Route path="/p/:applicationId/:environment/heatmaps/*?" component={Heatmaps} />
    <Route path="/p/:applicationId/:environment/configurations/*?" component={Configurations} />
    <Route path="/p/:applicationId/:environment/experiments" component={Experiments} />
    <Route path="/p/:applicationId/:environment/experiments/new" component={NewExperiment} />
    <Route path="/p/:applicationId/:environment/deeplinks/*?" component={Deeplinks} />
    <Route path="/p/:applicationId/:environment/players" component={Players} />
    <Route path="/p/:applicationId/:environment/players/:unitId" component={Player} />
    <Route path="/p/:applicationId/:environment/home" component={Home} />
    <Route path="/p/:applicationId/:environment/saved" component={SavedQuestions} />
    <Route path="/p/:applicationId/:environment/boards/*?" component={Boards} />
    <Route path="/p/:applicationId/:environment/markers" component={LiveMarkers} />
    <Route path="/p/:applicationId/:environment/cohorts" component={Cohorts} />
    <Route path="/p/:applicationId/:environment/cohorts/new" component={CohortEditor} />
    <Route path="/p/:applicationId/:environment/cohorts/:cohortId" component={CohortPage} />
    <Route path="/p/:applicationId/:environment/cohorts/:cohortId/edit" component={CohortEditor} />
    <Route path="/p/:applicationId/:environment/experiments/:experimentId" component={ExperimentPage} />
    <Route path="/p/:applicationId/:environment/alerts/*?" component={Alerts} />
    <Route path="/p/:applicationId/:environment/plan" component={TrackingPlan} />
    <Route path="/p/:applicationId/:environment/setup" component={Setup} />
    <Route path="/p/:applicationId/:environment/settings/*?" component={Settings} />
    <Route component={NoSuchPage} />
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
    <Route path="/forgot-password">
      <ForgotPassword />
    </Route>
    <Route path="/reset-password">
      <ResetPassword />
    </Route>
    <Route path="/invite/:token">{({ token }) => <Invitation token={token} />}</Route>
    <Route path="/">
      <SignedIn>
        <Start />
      </SignedIn>
    </Route>
    <Route path="/server">
      <SignedIn>
        <Start page="/settings/server" />
      </SignedIn>
    </Route>
    <Route path="/p/:applicationId/:environment">
      {({ applicationId, environment }) => (
        <SignedIn>
          <Project applicationId={Number(applicationId)} environment={environment}>
            <Landing />
          </Project>
        </SignedIn>
      )}
    </Route>
    <Route path="/p/:applicationId/:environment/*">
      {({ applicationId, environment }) => (
        <SignedIn>
          <Project applicationId={Number(applicationId)} environment={environment}>
            <Shell>
              {/* Answers stay until the next ones are there, but not those of another environment. */}
              <Pages key={`${applicationId} ${environment}`} />
            </Shell>
          </Project>
        </SignedIn>
      )}
    </Route>
    <Route>
      <InsteadOfAll>
        <NotFound />
      </InsteadOfAll>
    </Route>
  </Switch>
)
