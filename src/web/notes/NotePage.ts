import type { Note } from "../api/notes.ts"

/** The page of a project's environment on which it stands what changed: the history of a configuration, the experiment, or players by version. */
export const notePage = ({ kind, id }: Pick<Note, "kind" | "id">): string => {
  switch (kind) {
    case "configuration":
      return `configurations/${id}?view=history`
    case "experiment":
      return `experiments/${id}`
    case "appVersion":
      return "insights?by=property:appVersion"
  }
}

/** What changed, in words. */
export const noteName = ({ kind, name }: Pick<Note, "kind" | "name">): string =>
  kind === "appVersion" ? `Version ${name}` : name
