import type { Missed, Notice } from "./NoticeLog.ts"

/** A comment of the server-sent events format; it shows proxies and clients that the stream is alive. */
export const heartbeat = ":\n\n"

/** A notice in the server-sent events format (WHATWG HTML, 9.2). */
export const frame = ({ event, id, ids }: Notice): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify({ ids })}\n\n`

/** The beginning of a stream: the retry delay, the notices that were missed, and the id to resume from. */
export const opening = (missed: Missed, position: string): string => {
  const said =
    missed.type === "reset"
      ? `event: reset\ndata: ${JSON.stringify({ ids: [] })}\n\n`
      : missed.notices.map(frame).join("")
  return `retry: 2000\n\n${said}id: ${position}\n\n`
}
