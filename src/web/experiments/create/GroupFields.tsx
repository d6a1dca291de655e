import type { Document } from "../../../domain/configuration/Document.ts"
import { RemoveButton } from "../../ui/Button.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { OperationList } from "../setup/OperationList.tsx"
import type { GroupDraft } from "./PlanDraft.ts"

interface Props {
  readonly group: GroupDraft
  readonly ordinal: number
  /** Undefined while no configuration is chosen. */
  readonly base: Document | undefined
  readonly canRemove: boolean
  readonly onChange: (part: Partial<GroupDraft>) => void
  readonly onControl: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** A group: its name, its share, and what it changes beside the base. */
export const GroupFields = ({ group, ordinal, base, canRemove, onChange, onControl, onEdit, onRemove }: Props) => {
  const { name, label, percent, isControl, operations } = group
  const called = name.trim() === "" ? `group ${ordinal + 1}` : name.trim()
  return (
    <li className="group">
      <div className="group-head">
        <i className={`series-dot series-${ordinal % 8}`} />
        <input
          className="input group-name"
          aria-label={`Name of group ${ordinal + 1}`}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <label className="field-inline group-share">
          <input
            className="input"
            type="number"
            min="0"
            max="100"
            step="0.01"
            aria-label={`Share of ${called}`}
            value={percent}
            onChange={({ currentTarget }) => onChange({ percent: currentTarget.value })}
          />
          %
        </label>
        {canRemove && <RemoveButton label={`Remove ${called}`} onRemove={onRemove} />}
      </div>
      <label className="field-inline group-label">
        In the game
        <input
          className="input"
          aria-label={`What the game calls ${called}`}
          placeholder={name.trim() === "" ? "its name" : name.trim()}
          value={label}
          maxLength={100}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange({ label: currentTarget.value })}
        />
      </label>
      <label className="check">
        <input type="radio" name="control" checked={isControl} onChange={onControl} />
        The others are compared with it
      </label>
      <OperationList base={base} operations={operations} />
      <DeniableButton
        look="button-small group-edit"
        denied={base === undefined ? "Choose the configuration first." : null}
        onClick={onEdit}
      >
        {operations.length === 0 ? "Change values" : "Edit the changes"}
        <span className="unseen"> of {called}</span>
      </DeniableButton>
    </li>
  )
}
