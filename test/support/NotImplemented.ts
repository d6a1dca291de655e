/** Endpoints that are declared and not built: the list may only shrink. */
export const notImplemented: ReadonlyArray<string> = [
  "queries.heatmaps",
  "markers.arguments",
  "markers.argumentValues",
  "markers.setMetadata",
  "markers.properties",
  "markers.propertyValues",
  "markers.raw",
  "markers.types",
  "markers.pendingTypes",
  "heatmaps.list",
  "heatmaps.create",
  "heatmaps.get",
  "heatmaps.update",
  "heatmaps.remove",
  "heatmaps.putImage",
  "heatmaps.image"
]
