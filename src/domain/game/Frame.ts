import type { Missed, Notice } from "./NoticeLog.ts"

/** Lets intermediaries and clients see that the stream lives (a comment of the server-sent events format). */
export const heartbeat = ":\n\n"

/** One notice in the server-sent events format (WHATWG HTML, 9.2). */
export const frame = ({ event, id, ids }: Notice): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify({ ids })}\n\n`

/** How a stream begins: how long to wait before coming back, what was missed, and the id to come back with. */
export const opening = (missed: Missed, position: string): string => {
  const said =
    missed.type === "reset"
      ? `event: reset\ndata: ${JSON.stringify({ ids: [] })}\n\n`
      : missed.notices.map(frame).join("")
  return `retry: 2000\n\n${said}id: ${position}\n\n`
}
