import type { ServerProblem } from "../api/readiness.ts"

interface Words {
  readonly title: string
  readonly advice: string
}

const held = {
  metadata: "configurations, experiments and settings",
  log: "markers",
  events: "markers"
} as const

/** What a problem of the server means for who looks at the game, and what helps. */
export const problemWords = ({ code, store }: Pick<ServerProblem, "code" | "store">): Words => {
  const what = store === null ? "data" : held[store]
  switch (code) {
    case "STORAGE_FULL":
      return {
        title: `The disk of the server is full: ${what} are not stored any more.`,
        advice: "Free some space on it. What games send meanwhile is refused, and most of them send it again later."
      }
    case "DISK_LOW":
      return {
        title: "The disk of the server is nearly full.",
        advice: "Free some space before it is full: then nothing could be stored any more."
      }
    case "STORE_UNWRITABLE":
      return {
        title: `The server cannot store ${what}.`,
        advice:
          "Who runs it looks at the rights and the disk of its data folder; the reason stands below and in its log."
      }
    case "STORE_SILENT":
      return {
        title: `The server has not stored ${what} for a while.`,
        advice: "Its disk may be slow or busy. If this stays, who runs it restarts it and looks at the disk."
      }
    case "FILE_REPLACED":
      return {
        title: `The file with the ${what} was removed or replaced while the server runs.`,
        advice: "What is stored now is lost: stop the server, put the file back and start it again."
      }
    case "STORE_DAMAGED":
      return {
        title: `A part of the ${what} cannot be read. Numbers are of the rest.`,
        advice: "Who runs the server restores a backup, or goes on without that part; the log names it."
      }
    case "DATA_LOST":
      return {
        title: "Data that were stored are missing since the last start.",
        advice: "Who runs the server puts back a backup, or accepts the loss: the command doctor lists what is missing."
      }
  }
}
