/** Reports that something a game reads has changed. The ids are those of configurations or experiments. */
export interface Notice {
  readonly id: string
  readonly event: "configuration" | "experiments"
  readonly ids: ReadonlyArray<number>
}

/** The latest notices of an environment, oldest first, numbered from 1 for as long as the numbering goes on. */
export interface NoticeLog {
  /** Identifies the numbering, because numbers of an earlier one mean nothing here. */
  readonly process: string
  readonly last: number
  readonly notices: ReadonlyArray<Notice>
}

/** The notices that a returning reader has missed; `reset` if they are no longer known. */
export type Missed = { readonly type: "reset" } | { readonly type: "notices"; readonly notices: ReadonlyArray<Notice> }

/** A notice as it is stored: numbers of an environment have no gaps. */
export interface NumberedNotice extends Omit<Notice, "id"> {
  readonly number: number
}

/** The notices of an environment that are kept. */
export const maxNotices = 1000

/** The log of a process that has just started. */
export const empty = (process: string): NoticeLog => ({ process, last: 0, notices: [] })

const idOf = (process: string, number: number): string => `${process}-${number}`

/** The position of a reader who has read everything. */
export const position = ({ process, last }: NoticeLog): string => idOf(process, last)

/** The notice as readers get it. */
export const noticeOf = (process: string, { number, event, ids }: NumberedNotice): Notice => ({
  id: idOf(process, number),
  event,
  ids
})

/** The log of the latest notices, oldest first. */
export const logOf = (process: string, notices: ReadonlyArray<NumberedNotice>): NoticeLog => ({
  process,
  last: notices.at(-1)?.number ?? 0,
  notices: notices.map((each) => noticeOf(process, each))
})

/** The log with another notice, and without the oldest one beyond the latest 1,000. */
export const append = (log: NoticeLog, change: Omit<Notice, "id">): NoticeLog => {
  const last = log.last + 1
  const notice = noticeOf(log.process, { number: last, ...change })
  return { ...log, last, notices: [...log.notices, notice].slice(-maxNotices) }
}

/** The notices after the one with the given id. A reader without an id has missed nothing. */
export const since = (log: NoticeLog, id: string | undefined): Missed => {
  if (id === undefined || id === "") return { type: "notices", notices: [] }
  const [, process, digits] = /^(.+)-(\d{1,15})$/.exec(id) ?? []
  const behind = log.last - Number(digits)
  return process === log.process && behind >= 0 && behind <= log.notices.length
    ? { type: "notices", notices: behind === 0 ? [] : log.notices.slice(-behind) }
    : { type: "reset" }
}
