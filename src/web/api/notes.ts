import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "./client.ts"
import type { Where } from "./queries.ts"
import { place } from "./queries.ts"
import { useStream } from "./Stream.ts"
import type { Answer } from "./Wire.ts"

export type Note = Answer<"notes.list">["items"][number]

/** Instants as ISO text, the end excluded. */
export interface NoteRange {
  readonly from: string
  readonly to: string
}

/** Milliseconds for which notes are not asked for again. */
const freshFor = 60_000

/** The newest notes of a range; all charts that show the range share one answer. */
const mostNotes = 1000

export const useNotes = (where: Where, range: NoteRange | null) => {
  const client = useQueryClient()
  // Several charts hear of a change at once: the first of them asks for all.
  const forget = () => void client.invalidateQueries({ queryKey: ["notes", where] }, { cancelRefetch: false })
  useStream(where, "configuration", forget)
  useStream(where, "experiments", forget)
  return useQuery({
    queryKey: ["notes", where, range],
    staleTime: freshFor,
    placeholderData: keepPreviousData,
    queryFn:
      range === null
        ? skipToken
        : ({ signal }) => call("notes.list", { ...place(where), query: { ...range, limit: mostNotes }, signal })
  })
}
