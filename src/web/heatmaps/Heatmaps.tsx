import { Route, Switch, useSearch } from "wouter"
import { Opened, openedId } from "../saved/Opened.tsx"
import { HeatmapList } from "./HeatmapList.tsx"
import { HeatmapPage } from "./HeatmapPage.tsx"
import { heatmapKind } from "./HeatmapKind.ts"
import { MapEditor } from "./MapEditor.tsx"
import "../theme/heatmaps.css"

/** One of the maps where the address names it, or a saved question about one; else all of them. */
const ListOrMap = () => {
  const search = useSearch()
  if (openedId(search) === null && !new URLSearchParams(search).has("map")) return <HeatmapList />
  return (
    <Opened kind={heatmapKind}>
      <HeatmapPage />
    </Opened>
  )
}

/** The maps of the game, what happens on each, and how they are made. */
export const Heatmaps = () => (
  <Switch>
    <Route path="/p/:applicationId/:environment/heatmaps/new">
      <MapEditor heatmapId="" />
    </Route>
    <Route path="/p/:applicationId/:environment/heatmaps/:heatmapId/edit">
      {({ heatmapId }) => <MapEditor key={heatmapId} heatmapId={heatmapId} />}
    </Route>
    <Route>
      <ListOrMap />
    </Route>
  </Switch>
)
