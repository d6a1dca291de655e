/** Endpoints that are declared and not built: the list may only shrink. */
export const notImplemented: ReadonlyArray<string> = []
