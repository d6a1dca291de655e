import { Icon } from "../ui/Icon.tsx"
import { RemoveButton } from "../ui/Button.tsx"
import type { Choices } from "./Choices.ts"
import { RuleCard } from "./RuleCard.tsx"
import type { ConditionGroup, Rule } from "./Rules.ts"
import { deepest, freshCondition, freshGroup, mostConditions, replaced } from "./Rules.ts"

interface Props {
  readonly group: ConditionGroup
  readonly choices: Choices
  readonly timezone: string
  /** 1 for the outermost. */
  readonly depth: number
  /** Conditions of the whole definition. */
  readonly count: number
  readonly onChange: (group: ConditionGroup) => void
  readonly onRemove?: () => void
}

const Heading = ({ group, depth, onChange, onRemove }: Props) => (
  <div className="rules-head">
    <span>{depth === 1 ? "Players who" : `who meet ${group.op === "and" ? "all" : "any"} of these`}</span>
    <label className="check">
      <input
        type="checkbox"
        checked={group.negate}
        onChange={(event) => onChange({ ...group, negate: event.target.checked })}
      />
      {depth === 1 ? "All other players instead" : "Those who do not, instead"}
    </label>
    {onRemove !== undefined && <RemoveButton label="Remove this group of conditions" onRemove={onRemove} />}
  </div>
)

/** Conditions joined by one word; groups within it are cards of their own. */
export const RuleGroup = (props: Props) => {
  const { group, choices, timezone, depth, count, onChange } = props
  const put = (key: number, part: Rule | null) => onChange(replaced(group, key, part))
  const add = (rule: Rule) => onChange({ ...group, children: [...group.children, rule] })
  const other = group.op === "and" ? "or" : "and"
  return (
    <div className={depth === 1 ? "rules" : "rules rules-inner"} role="group" aria-label={`Conditions, level ${depth}`}>
      <Heading {...props} />
      {group.children.map((child, index) => (
        <div className="rules-item" key={child.key}>
          {index > 0 && (
            <button type="button" className="rules-word" onClick={() => onChange({ ...group, op: other })}>
              {group.op}
              <span className="unseen">: change to {other}</span>
            </button>
          )}
          {child.type === "group" ? (
            <RuleGroup
              group={child}
              choices={choices}
              timezone={timezone}
              depth={depth + 1}
              count={count}
              onChange={(part) => put(child.key, part)}
              onRemove={() => put(child.key, null)}
            />
          ) : child.type === "condition" ? (
            <RuleCard
              condition={child}
              choices={choices}
              timezone={timezone}
              onChange={(part) => put(child.key, { ...child, ...part })}
              onRemove={() => put(child.key, null)}
            />
          ) : (
            <div className="rule">
              <div className="sentence">
                <span>A condition made through the API, kept as it is</span>
                <RemoveButton label="Remove the condition made through the API" onRemove={() => put(child.key, null)} />
              </div>
              <pre tabIndex={0} aria-label="The condition as JSON">
                <code>{JSON.stringify(child.node, null, 2)}</code>
              </pre>
            </div>
          )}
        </div>
      ))}
      {count < mostConditions && (
        <div className="row">
          <button type="button" className="button button-small" onClick={() => add(freshCondition())}>
            <Icon name="plus" size={14} />
            Condition
          </button>
          {depth < deepest && count > 0 && (
            <button
              type="button"
              className="button button-small button-quiet"
              onClick={() => add(freshGroup([freshCondition()], other))}
            >
              <Icon name="plus" size={14} />
              Group with “{other}”
            </button>
          )}
        </div>
      )}
    </div>
  )
}
