/** Endpoints that are declared and not built yet. This list only shrinks. */
export const notImplemented: ReadonlyArray<string> = [
  "sdkLegacy.assign",
  "sdkLegacy.assignment",
  "sdkLegacy.completeRequests",
  "sdkLegacy.configurations",
  "sdkLegacy.experiments",
  "sdkLegacy.latestVersion",
  "sdkLegacy.reportServer",
  "sdkLegacy.requests",
  "sdkLegacy.startRequests"
]
