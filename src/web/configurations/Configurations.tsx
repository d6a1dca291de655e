import { Route, Switch } from "wouter"
import { useFollow } from "../api/Follow.ts"
import { useWhere } from "../shell/Project.tsx"
import { ConfigurationList } from "./ConfigurationList.tsx"
import { ConfigurationPage } from "./ConfigurationPage.tsx"
import "../theme/configurations.css"

const followed = ["configurations", "configuration", "configuration-versions"]

/** The list of configurations, and one of them. */
export const Configurations = () => {
  useFollow(useWhere(), "configuration", followed)
  return (
    <Switch>
      <Route path="/p/:applicationId/:environment/configurations/:configurationId">
        {({ configurationId }) => <ConfigurationPage key={configurationId} configurationId={Number(configurationId)} />}
      </Route>
      <Route>
        <ConfigurationList />
      </Route>
    </Switch>
  )
}
