/** What a caller says of the trace that its request belongs to: 32 and 16 hexadecimal digits, and whether it records the trace. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const isZero = (digits: string): boolean => /^0+$/.test(digits)

/** Reads the header `traceparent` of W3C Trace Context, level 2; null where there is none, or one that the recommendation has ignored. */
export const traceParentIn = (header: string | undefined): TraceParent | null => {
  const [, version = "ff", traceId = "", spanId = "", flags = "", rest] = shape.exec(header ?? "") ?? []
  if (version === "ff" || isZero(traceId) || isZero(spanId)) return null
  // Later versions may say more; the first one may not.
  if (version === "00" && rest !== undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Digits of a trace id that are compared with a share: as many as a number holds exactly. */
const compared = 13

/**
 * Whether a trace is among the share (0 to 1) that is recorded. It depends on the end of its id alone, which W3C Trace Context demands to be
 * random, so that all processes agree.
 */
export const isTraceSampled = (traceId: string, share: number): boolean =>
  Number.parseInt(traceId.slice(-compared), 16) < share * 16 ** compared
