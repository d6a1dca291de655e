import { Route, Switch } from "wouter"
import { AlertList } from "./AlertList.tsx"
import { AlertPage } from "./AlertPage.tsx"
import "../theme/alerts.css"

/** The list of alerts, and one of them. */
export const Alerts = () => (
  <Switch>
    <Route path="/p/:applicationId/:environment/alerts/:alertId">
      {({ alertId }) => <AlertPage key={alertId} alertId={alertId} />}
    </Route>
    <Route>
      <AlertList />
    </Route>
  </Switch>
)
