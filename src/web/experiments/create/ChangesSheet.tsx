import { useMemo, useState } from "react"
import { diff } from "../../../domain/configuration/Diff.ts"
import { ChangeList } from "../../configurations/ChangeList.tsx"
import { type Configuration, useConfigurations } from "../../configurations/ConfigurationQueries.ts"
import { FormEditor } from "../../configurations/FormEditor.tsx"
import type { Lock } from "../../configurations/Locks.ts"
import { useWhere } from "../../shell/Project.tsx"
import { Sheet } from "../../ui/dialogs/Sheet.tsx"
import type { GroupDraft, Operation } from "./PlanDraft.ts"
import { changedBy, operationsOf } from "./PlanDraft.ts"

interface Props {
  readonly group: GroupDraft
  readonly base: Configuration
  readonly locks: ReadonlyArray<Lock>
  readonly isReadOnly: boolean
  readonly onChange: (operations: ReadonlyArray<Operation>) => void
  readonly onClose: () => void
}

/** The base as fields; what is changed in it is what the group gets. */
export const ChangesSheet = ({ group, base, locks, isReadOnly, onChange, onClose }: Props) => {
  const configurations = useConfigurations(useWhere())
  const names = useMemo(() => new Map(configurations.data?.map(({ id, name }) => [id, name])), [configurations.data])
  const [document, setDocument] = useState(() => changedBy(base.configuration, group.operations))
  const changes = diff(base.configuration, document)
  return (
    <Sheet
      title={`What ${group.name.trim() === "" ? "the group" : group.name} gets`}
      onClose={onClose}
      isWide
      asks="never"
    >
      <div className="changes-beside">
        <FormEditor
          draft={{ document, privacy: base.privacy }}
          locks={locks}
          descriptions={base.keyDescriptions}
          names={names}
          isReadOnly={isReadOnly}
          hasPrivacy={false}
          onChange={(next) => {
            setDocument(next.document)
            onChange(operationsOf(diff(base.configuration, next.document)))
          }}
        />
        <div aria-live="polite">
          <h3>Against {base.name}</h3>
          {changes.length === 0 ? (
            <p className="faint">Nothing is changed yet. Change a value on the left.</p>
          ) : (
            <ChangeList changes={changes} />
          )}
        </div>
      </div>
      <div className="row changes-foot">
        <button type="button" className="button button-primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Sheet>
  )
}
