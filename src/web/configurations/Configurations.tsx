import { Route, Switch } from "wouter"
import { ConfigurationList } from "./ConfigurationList.tsx"
import { ConfigurationPage } from "./ConfigurationPage.tsx"
import "../theme/configurations.css"

/** The list of configurations, and one of them. */
export const Configurations = () => (
  <Switch>
    <Route path="/p/:applicationId/:environment/configurations/:configurationId">
      {({ configurationId }) => <ConfigurationPage key={configurationId} configurationId={Number(configurationId)} />}
    </Route>
    <Route>
      <ConfigurationList />
    </Route>
  </Switch>
)
