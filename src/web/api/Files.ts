import type { Optional, Request } from "./client.ts"
import { textOf } from "./client.ts"
import type { Answer } from "./Wire.ts"

/** Sends a file to an endpoint that takes its bytes as they are. */
export const callWithFile = async <N extends "icons.put" | "heatmaps.putImage">(
  name: N,
  request: Optional<Request<N>>,
  file: Blob
): Promise<Answer<N>> => JSON.parse(await textOf(name, request, file))

/** Calls an endpoint that answers with a text, such as one record a line. */
export const callForText = <N extends "players.export">(name: N, request: Optional<Request<N>>): Promise<string> =>
  textOf(name, request)
