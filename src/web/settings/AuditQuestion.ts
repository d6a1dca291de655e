import { isDay } from "../builder/Days.ts"
import { dayStart } from "../builder/Period.ts"
import type { Codec } from "../url/Codec.ts"

/** Which changes the page lists; an empty text: whichever it is. Days are those of the project, both included. */
export interface AuditQuestion {
  readonly kind: string
  readonly objectId: string
  readonly userId: string
  readonly from: string
  readonly to: string
}

const names = { kind: "kind", objectId: "id", userId: "who", from: "from", to: "to" } as const

const fields = ["kind", "objectId", "userId", "from", "to"] as const

const day = (text: string): string => (isDay(text) ? text : "")

export const auditCodec: Codec<AuditQuestion> = {
  read: (parameters) => ({
    kind: parameters.get(names.kind) ?? "",
    objectId: parameters.get(names.objectId) ?? "",
    userId: parameters.get(names.userId) ?? "",
    from: day(parameters.get(names.from) ?? ""),
    to: day(parameters.get(names.to) ?? "")
  }),
  write: (question) => {
    const parameters = new URLSearchParams()
    for (const field of fields) if (question[field] !== "") parameters.set(names[field], question[field])
    return parameters
  }
}

export const isFiltered = (question: AuditQuestion): boolean => fields.some((field) => question[field] !== "")

/** The question as the API takes it. */
export const auditQuery = ({ kind, objectId, userId, from, to }: AuditQuestion, timeZone: string) => ({
  ...(kind === "" ? {} : { kind }),
  ...(objectId === "" ? {} : { objectId }),
  ...(userId === "" ? {} : { userId }),
  ...(from === "" ? {} : { from: dayStart(from, timeZone) }),
  ...(to === "" ? {} : { to: dayStart(to, timeZone, 1) })
})
