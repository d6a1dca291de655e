/** Endpoints that are declared and not built: the list may only shrink. */
export const notImplemented: ReadonlyArray<string> = [
  "queries.heatmaps",
  "savedQueries.list",
  "savedQueries.create",
  "savedQueries.get",
  "savedQueries.update",
  "savedQueries.remove",
  "savedQueries.execute",
  "savedQueries.request",
  "savedQueries.state",
  "savedQueries.cancel",
  "heatmaps.list",
  "heatmaps.create",
  "heatmaps.get",
  "heatmaps.update",
  "heatmaps.remove",
  "heatmaps.putImage",
  "heatmaps.image"
]
