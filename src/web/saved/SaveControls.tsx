import { useMemo, useState } from "react"
import { useProject } from "../shell/Project.tsx"
import { useShortcuts } from "../shell/Shortcuts.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { loadable } from "../ui/Loadable.tsx"
import type { Kind } from "./Kind.ts"
import type { useQuestionState } from "./useQuestionState.ts"
import { deniedTo } from "../text/Denied.ts"

const SaveDialog = loadable(() => import("./SaveDialog.tsx").then((chunk) => ({ default: chunk.SaveDialog })))

interface Props<State> {
  readonly kind: Kind<State>
  /** The question as the page asks it. */
  readonly question: State
  readonly opened: Pick<ReturnType<typeof useQuestionState<State>>, "saved" | "isChanged" | "restore">
}

/** The name of the saved question, whether it was changed since, and the way back. */
export const SavedName = <State,>({ opened: { saved, isChanged, restore } }: Pick<Props<State>, "opened">) =>
  saved === null ? null : (
    <p className="saved-name">
      <Icon name="bookmark" size={14} />
      <b>{saved.name}</b>
      {isChanged && (
        <>
          <span className="tag tag-warning">changed</span>
          <button type="button" className="button button-small button-quiet" onClick={restore}>
            Go back to what was saved
          </button>
        </>
      )}
    </p>
  )

/** Keeps the question under a name; the key `s` does the same. */
export const SaveButton = <State,>({ kind, question, opened }: Props<State>) => {
  const { may, timezone } = useProject()
  const [isOpen, setOpen] = useState(false)
  const definition = kind.definition(question, timezone)
  const isAllowed = may("queries:write")
  const canSave = isAllowed && definition !== null
  const shortcuts = useMemo(
    () => (canSave ? [{ keys: "s", words: "Save the question", run: () => setOpen(true) }] : []),
    [canSave]
  )
  useShortcuts(shortcuts)
  return (
    <>
      <DeniableButton
        denied={isAllowed ? null : deniedTo("Saving", "queries:write")}
        look="button-small"
        tip="Save the question (s)"
        isBusy={definition === null}
        onClick={() => setOpen(true)}
      >
        <Icon name="bookmark" size={14} />
        Save
      </DeniableButton>
      {isOpen && definition !== null && (
        <SaveDialog
          definition={definition}
          sentence={kind.words(question)}
          saved={opened.saved}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
