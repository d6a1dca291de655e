/** Endpoints that are declared and not built yet. This list only shrinks. */
export const notImplemented: ReadonlyArray<string> = []
