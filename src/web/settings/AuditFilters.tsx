import { useMembers } from "./AccessQueries.ts"
import type { AuditQuestion } from "./AuditQuestion.ts"
import { auditedKinds } from "./AuditWords.ts"

interface Props {
  readonly organizationId: number
  readonly question: AuditQuestion
  readonly change: (update: (question: AuditQuestion) => AuditQuestion) => void
}

/** The id of one object: the list is asked when its writer leaves the field or presses Enter. */
const ObjectField = ({ question, change }: Omit<Props, "organizationId">) => {
  const commit = (input: HTMLInputElement) => {
    const wanted = input.value.trim()
    if (wanted !== question.objectId) change((present) => ({ ...present, objectId: wanted }))
  }
  return (
    <label className="field">
      Its id
      <input
        key={question.objectId}
        className="input"
        defaultValue={question.objectId}
        placeholder="any"
        onBlur={({ currentTarget }) => commit(currentTarget)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") commit(currentTarget)
        }}
      />
    </label>
  )
}

export const AuditFilters = ({ organizationId, question, change }: Props) => {
  const members = useMembers(organizationId)
  const { userId } = question
  // Else the list would say that it shows everybody's changes.
  const hasLeft = userId !== "" && members.data?.every(({ user }) => String(user.id) !== userId) === true
  return (
    <div className="toolbar">
      <label className="field">
        What
        <select
          className="input"
          value={question.kind}
          onChange={({ target: { value } }) => change((present) => ({ ...present, kind: value }))}
        >
          <option value="">Everything</option>
          {auditedKinds.map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ObjectField question={question} change={change} />
      <label className="field">
        Who
        <select
          className="input"
          value={userId}
          onChange={({ target: { value } }) => change((present) => ({ ...present, userId: value }))}
        >
          <option value="">Everybody</option>
          {hasLeft && <option value={userId}>Somebody who has left</option>}
          {(members.data ?? []).map(({ user }) => (
            <option key={user.id} value={user.id}>
              {user.name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        From
        <input
          className="input"
          type="date"
          value={question.from}
          max={question.to === "" ? undefined : question.to}
          onChange={({ target: { value } }) => change((present) => ({ ...present, from: value }))}
        />
      </label>
      <label className="field">
        To
        <input
          className="input"
          type="date"
          value={question.to}
          min={question.from === "" ? undefined : question.from}
          onChange={({ target: { value } }) => change((present) => ({ ...present, to: value }))}
        />
      </label>
    </div>
  )
}
