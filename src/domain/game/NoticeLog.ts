/** Says that something a game may read has changed. The ids are of configurations or of experiments. */
export interface Notice {
  readonly id: string
  readonly event: "configuration" | "experiments"
  readonly ids: ReadonlyArray<number>
}

/** The last notices of an environment, oldest first, numbered from 1 while one process runs. */
export interface NoticeLog {
  /** Names the process: a number of another one says nothing here. */
  readonly process: string
  readonly last: number
  readonly notices: ReadonlyArray<Notice>
}

/** What a reader who comes back has missed; `reset` when nobody knows any more. */
export type Missed = { readonly type: "reset" } | { readonly type: "notices"; readonly notices: ReadonlyArray<Notice> }

const maxNotices = 1000

export const empty = (process: string): NoticeLog => ({ process, last: 0, notices: [] })

const idOf = (process: string, number: number): string => `${process}-${number}`

/** Where a reader is who has read everything. */
export const position = ({ process, last }: NoticeLog): string => idOf(process, last)

/** The log with one more notice, and without the oldest past its capacity. */
export const append = (log: NoticeLog, change: Omit<Notice, "id">): NoticeLog => {
  const last = log.last + 1
  const notice = { id: idOf(log.process, last), event: change.event, ids: change.ids }
  return { ...log, last, notices: [...log.notices, notice].slice(-maxNotices) }
}

/** What came after the notice with that id. A reader without an id has missed nothing. */
export const since = (log: NoticeLog, id: string | undefined): Missed => {
  if (id === undefined || id === "") return { type: "notices", notices: [] }
  const [, process, digits] = /^(.+)-(\d{1,15})$/.exec(id) ?? []
  const behind = log.last - Number(digits)
  return process === log.process && behind >= 0 && behind <= log.notices.length
    ? { type: "notices", notices: behind === 0 ? [] : log.notices.slice(-behind) }
    : { type: "reset" }
}
