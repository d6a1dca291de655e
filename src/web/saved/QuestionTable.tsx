import { useState } from "react"
import { Link } from "wouter"
import { useStar } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { Moment } from "../ui/Moment.tsx"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import type { SavedQuestion } from "./Kind.ts"
import { pageOf, typeWords } from "./Kind.ts"
import { RemoveQuestion } from "./RemoveQuestion.tsx"
import { RenameQuestion } from "./RenameQuestion.tsx"

interface Props {
  readonly questions: ReadonlyArray<SavedQuestion>
  /** Tells who cannot see it what has happened. */
  readonly onSay: (text: string) => void
}

interface Open {
  readonly question: SavedQuestion
  readonly dialog: "rename" | "remove"
}

const refusal = deniedText("queries:write")

const Star = ({ question: { id, name, starred } }: { readonly question: SavedQuestion }) => {
  const { applicationId } = useProject()
  const star = useStar(applicationId)
  // Drawn at once; the list says the same a moment later.
  const isSet = star.isPending ? star.variables.isSet : starred
  return (
    <button
      type="button"
      className={isSet ? "button button-icon button-quiet star-set" : "button button-icon button-quiet"}
      aria-pressed={isSet}
      aria-label={`Star ${name}`}
      onClick={() => star.mutate({ queryId: id, isSet: !isSet })}
    >
      <Icon name="star" />
    </button>
  )
}

const NameLink = ({ question: { id, name, queryType } }: { readonly question: SavedQuestion }) => {
  const { applicationId, environment } = useProject()
  return <Link href={`/p/${applicationId}/${environment.alias}/${pageOf(queryType)}?q=${id}`}>{name}</Link>
}

export const QuestionTable = ({ questions, onSay }: Props) => {
  const { may } = useProject()
  const [open, setOpen] = useState<Open | null>(null)
  const isAllowed = may("queries:write")
  const close = () => setOpen(null)
  const at = (instant: string | null) => (instant === null ? "never" : <Moment at={instant} as="weekday" />)
  return (
    <>
      <ListTable
        label="List"
        rows={questions}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Star",
            kind: "picture",
            className: "saved-star",
            render: (question) => <Star question={question} />
          },
          {
            name: "Name",
            kind: "head",
            className: "saved-name-cell",
            render: (question) => (
              <>
                <NameLink question={question} />
                {question.description !== null && <small className="faint">{question.description}</small>}
              </>
            )
          },
          { name: "Type", render: ({ queryType }) => typeWords[queryType] },
          { name: "Author", render: ({ createdBy }) => createdBy?.email ?? "a key" },
          {
            name: "Last change",
            render: ({ updatedAt, updatedBy, createdBy }) => (
              <>
                {at(updatedAt)}
                {updatedBy !== null && updatedBy.id !== createdBy?.id && (
                  <small className="faint">by {updatedBy.email}</small>
                )}
              </>
            )
          },
          { name: "Last run", render: ({ lastRunAt }) => at(lastRunAt) },
          {
            name: "Actions",
            kind: "actions",
            render: (question) => (
              <>
                <DeniableButton
                  denied={isAllowed ? null : refusal}
                  look="button-icon button-quiet"
                  label={`Rename ${question.name}`}
                  onClick={() => setOpen({ question, dialog: "rename" })}
                >
                  <Icon name="pencil" size={14} />
                </DeniableButton>
                <DeniableButton
                  denied={isAllowed ? null : refusal}
                  look="button-icon button-quiet"
                  label={`Delete ${question.name}`}
                  onClick={() => setOpen({ question, dialog: "remove" })}
                >
                  <Icon name="trash" size={14} />
                </DeniableButton>
              </>
            )
          }
        ]}
      />
      {open?.dialog === "rename" && (
        <RenameQuestion question={open.question} onClose={close} onDone={(name) => onSay(`Renamed to ${name}`)} />
      )}
      {open?.dialog === "remove" && (
        <RemoveQuestion
          question={open.question}
          onClose={close}
          onDone={() => onSay(`Deleted ${open.question.name}`)}
        />
      )}
    </>
  )
}
