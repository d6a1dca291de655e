import { Callout } from "../ui/States.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import type { Conflict } from "./Draft.ts"
import { pathText } from "./Draft.ts"

interface Props {
  readonly live: Configuration
  /** The version that the draft was begun with. */
  readonly begunOn: number
  readonly conflicts: ReadonlyArray<Conflict>
  /** What to do about conflicts, as a sentence. */
  readonly advice: string
}

/** Says that somebody else has published since a draft was begun, and what that means for the draft. */
export const MeanwhileNotice = ({ live, begunOn, conflicts, advice }: Props) => (
  <Callout>
    {live.updatedBy?.email ?? "Somebody"} published version {live.version} while you worked on version {begunOn}.{" "}
    {conflicts.length === 0
      ? "Your changes fit theirs: your draft has both."
      : `Both of you changed ${conflicts.map(({ path }) => pathText(path)).join(", ")}. ${advice}`}
  </Callout>
)
