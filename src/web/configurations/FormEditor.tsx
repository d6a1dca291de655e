import { useState } from "react"
import { Link } from "wouter"
import type { Document, Json, Path } from "../../domain/configuration/Document.ts"
import { isObject } from "../../domain/configuration/Document.ts"
import { useProject } from "../shell/Project.tsx"
import { folded } from "../text/Search.ts"
import { Icon } from "../ui/Icon.tsx"
import { RemoveButton } from "../ui/Button.tsx"
import { AddKey } from "./AddKey.tsx"
import type { ConfigurationDraft } from "./Draft.ts"
import { linkIn, pathText, withValue } from "./Draft.ts"
import type { Lock } from "./Locks.ts"
import { experimentAddress, lockOf } from "./Locks.ts"
import { PrivacyToggle } from "./PrivacyToggle.tsx"
import { ValueInput } from "./ValueInput.tsx"

interface Props {
  readonly draft: ConfigurationDraft
  readonly locks: ReadonlyArray<Lock>
  readonly descriptions: Readonly<Record<string, string>>
  /** Of the configurations that links lead to, by id. */
  readonly names: ReadonlyMap<number, string>
  readonly isReadOnly: boolean
  /** Whether it shows what public keys do not get; an experiment changes values only. */
  readonly hasPrivacy?: boolean
  readonly onChange: (draft: ConfigurationDraft) => void
}

interface RowProps extends Props {
  readonly path: Path
  readonly name: string
  readonly value: Json
}

const Row = ({
  draft,
  locks,
  descriptions,
  names,
  isReadOnly,
  hasPrivacy = true,
  onChange,
  path,
  name,
  value
}: RowProps) => {
  const project = useProject()
  const { applicationId, environment } = project
  const lock = lockOf(locks, path)
  const isFixed = isReadOnly || lock !== undefined
  const full = pathText(path)
  const link = linkIn(value)
  const setValue = (next: Json | undefined) => onChange({ ...draft, document: withValue(draft.document, path, next) })
  const description = descriptions[path.join(".")]
  return (
    <div className="key-row">
      <span className="key-name">
        <code>{name}</code>
        {description !== undefined && description !== "" && <small>{description}</small>}
      </span>
      {link === null ? (
        <ValueInput label={full} value={value} isDisabled={isFixed} onChange={setValue} />
      ) : (
        <Link
          className="tag key-link"
          href={`/p/${applicationId}/${environment.alias}/configurations/${link.configurationId}`}
        >
          {[names.get(link.configurationId) ?? `configuration ${link.configurationId}`, ...link.path].join(" › ")}
        </Link>
      )}
      <span className="key-actions">
        {lock !== undefined && (
          <Link
            className="tag tag-warning"
            title="It cannot be changed while the experiment runs"
            href={experimentAddress(project, lock.experimentId)}
          >
            <Icon name="lock" size={14} />
            held by {lock.name}
          </Link>
        )}
        {hasPrivacy && <PrivacyToggle draft={draft} path={path} isReadOnly={isReadOnly} onChange={onChange} />}
        {!isFixed && <RemoveButton label={`Remove ${full}`} onRemove={() => setValue(undefined)} />}
      </span>
    </div>
  )
}

interface BranchProps extends Props {
  readonly path: Path
  readonly branch: Document
  readonly search: string
}

const holds = (value: Json, path: Path, words: string): boolean =>
  folded(path.join(" ")).includes(words) ||
  (isObject(value) && Object.entries(value).some(([key, inner]) => holds(inner, [...path, key], words)))

const Branch = ({ path, branch, search, ...rest }: BranchProps) => {
  const { draft, locks, isReadOnly, hasPrivacy = true, onChange } = rest
  const entries = Object.entries(branch).filter(([key, value]) => search === "" || holds(value, [...path, key], search))
  const isLocked = path.length > 0 && lockOf(locks, path)?.paths.some((held) => held.length <= path.length) === true
  return (
    <>
      {entries.map(([key, value]) =>
        isObject(value) && linkIn(value) === null ? (
          <fieldset key={key} className="key-branch">
            <legend>
              <code>{key}</code>
              {hasPrivacy && (
                <PrivacyToggle draft={draft} path={[...path, key]} isReadOnly={isReadOnly} onChange={onChange} />
              )}
              {!isReadOnly && lockOf(locks, [...path, key]) === undefined && (
                <RemoveButton
                  label={`Remove ${pathText([...path, key])} with all that is in it`}
                  onRemove={() =>
                    onChange({ ...draft, document: withValue(draft.document, [...path, key], undefined) })
                  }
                />
              )}
            </legend>
            <Branch {...rest} path={[...path, key]} branch={value} search={search} />
          </fieldset>
        ) : (
          <Row key={key} {...rest} path={[...path, key]} name={key} value={value} />
        )
      )}
      {!isReadOnly && !isLocked && search === "" && (
        <AddKey
          place={path}
          taken={Object.keys(branch)}
          onAdd={(key, value) => onChange({ ...draft, document: withValue(draft.document, [...path, key], value) })}
        />
      )}
    </>
  )
}

/** The document as fields, one for each value; objects stand in each other as they do in the document. */
export const FormEditor = (props: Props) => {
  const [search, setSearch] = useState("")
  const isEmpty = Object.keys(props.draft.document).length === 0
  return (
    <div className="form-editor">
      {!isEmpty && (
        <label className="field-inline">
          <span className="unseen">Search keys</span>
          <input
            className="input"
            type="search"
            placeholder="Search keys"
            data-search
            onInput={({ currentTarget }) => setSearch(folded(currentTarget.value.trim()))}
          />
        </label>
      )}
      {isEmpty && <p className="faint">The document is empty. Add its first key, or paste it as JSON.</p>}
      <Branch {...props} path={[]} branch={props.draft.document} search={search} />
    </div>
  )
}
