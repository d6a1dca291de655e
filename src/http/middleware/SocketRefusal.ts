import type { IncomingMessage, ServerResponse } from "node:http"
import type { Envelope } from "../../../schema/Failure.ts"
import { gameHeaders, unkept } from "./CrossOrigin.ts"
import { isForGames } from "./Routes.ts"
import { answerAtSocket } from "./SocketAnswer.ts"

/** Bytes of a body that are read and thrown away for the sake of the connection; before more of them the server hangs up. */
const maxDiscarded = 65_536

const isWorthReading = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) <= maxDiscarded

/** Refuses a request in the envelope before the platform sees it. */
export const refuseAtSocket = (
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode, code, error, message }: Envelope,
  headers: Readonly<Record<string, string>>
): void => {
  const isGame = isForGames(request.url ?? "/")
  const envelope = { statusCode, code, error, message }
  const body = JSON.stringify(isGame ? { ...envelope, errorCode: code } : envelope)
  const fields = {
    "content-type": "application/json",
    ...(isGame ? gameHeaders : unkept),
    ...headers,
    ...(isWorthReading(request) ? {} : { connection: "close" })
  }
  answerAtSocket(request, response, statusCode, fields, body)
}
