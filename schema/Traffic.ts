import { Context } from "effect"

/**
 * Kinds of requests. The kind decides how often one caller may come (`RATE_LIMITED`), and who is refused first when the server has more
 * to do than it can (`OVERLOADED`): people, then ingest and links, then games; vital requests never.
 */
export type TrafficKind =
  /** Whether the server lives. */
  | "vital"
  /** Games ask what is new. */
  | "poll"
  /** Games ask for one player or server. */
  | "evaluate"
  /** Games listen for changes. */
  | "stream"
  /** Games and servers send markers. */
  | "ingest"
  /** Players follow links. */
  | "link"
  /** Somebody enters with a password. */
  | "entry"
  /** Analysts, editors and everybody else. */
  | "people"

/** The kind of requests that an endpoint answers. */
export class Traffic extends Context.Reference<Traffic>()("schema/Traffic", {
  defaultValue: (): TrafficKind => "people"
}) {}
