import { Route, Switch } from "wouter"
import { DeeplinkList } from "./DeeplinkList.tsx"
import { DeeplinkPage } from "./DeeplinkPage.tsx"
import "../theme/deeplinks.css"

/** The list of links, and one of them. */
export const Deeplinks = () => (
  <Switch>
    <Route path="/p/:applicationId/:environment/deeplinks/:deeplinkId">
      {({ deeplinkId }) => <DeeplinkPage key={deeplinkId} deeplinkId={deeplinkId} />}
    </Route>
    <Route>
      <DeeplinkList />
    </Route>
  </Switch>
)
