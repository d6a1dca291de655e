import { Menu, MenuItem, MenuSeparator, useMenuStore } from "@ariakit/react"
import type { ReactNode } from "react"
import type { Answer } from "../api/Wire.ts"
import type { InsightDraft } from "./Question.ts"
import type { Chosen } from "./Point.ts"
import { groupFilter, namelessBecause, opened, pointWords, unfilteredBecause } from "./Point.ts"
import "../theme/popup.css"

interface Props {
  readonly chosen: Chosen
  readonly answer: Answer<"queries.insights">
  readonly question: InsightDraft
  /** Names of properties that the question may be broken down by. */
  readonly properties: ReadonlyArray<string>
  readonly onWho: () => void
  readonly onChange: (part: Partial<InsightDraft>) => void
  readonly onClose: () => void
}

/** Properties that the menu offers; the form has all of them. */
const mostProperties = 4

const Item = ({
  children,
  reason,
  onChoose
}: {
  readonly children: ReactNode
  /** Why it cannot be chosen; null where it can. */
  readonly reason?: string | null
  readonly onChoose: () => void
}) => (
  <MenuItem
    className="popup-item"
    disabled={reason !== undefined && reason !== null}
    accessibleWhenDisabled
    onClick={onChoose}
  >
    <span>
      {children}
      {reason !== undefined && reason !== null && <small className="popup-help">{reason}</small>}
    </span>
  </MenuItem>
)

/** What can be done with a number: who is behind it, or another question about it. */
export const PointMenu = ({ chosen, answer, question, properties, onWho, onChange, onClose }: Props) => {
  const { point, place } = chosen
  const { series } = point
  const menu = useMenuStore({
    open: true,
    setOpen: (open) => {
      if (!open) onClose()
    }
  })
  const only = groupFilter(point, question, true)
  const without = groupFilter(point, question, false)
  const inside = opened(point, answer)
  const unfiltered = unfilteredBecause(point, question)
  const words = pointWords(point, answer, question.by !== null)
  return (
    <Menu
      store={menu}
      className="popup"
      portal
      modal
      preserveTabOrder={false}
      gutter={4}
      autoFocusOnShow
      getAnchorRect={() => place}
      aria-label={words}
    >
      {/* A finger leaves no tip on the chart: this is where the number is read. */}
      <p className="popup-head" aria-hidden="true">
        {words}
      </p>
      <Item reason={namelessBecause(point, question)} onChoose={onWho}>
        Who are these players
      </Item>
      {(only !== null || unfiltered !== null) && (
        <>
          <MenuSeparator className="popup-line" />
          <Item
            reason={unfiltered}
            onChoose={() => only !== null && onChange({ filters: [...question.filters, only], by: null })}
          >
            Only {series.name}
          </Item>
          <Item
            reason={unfiltered}
            onChoose={() => without !== null && onChange({ filters: [...question.filters, without] })}
          >
            Without {series.name}
          </Item>
        </>
      )}
      {question.by === null && properties.length > 0 && (
        <>
          <MenuSeparator className="popup-line" />
          {properties.slice(0, mostProperties).map((name) => (
            <Item key={name} onChoose={() => onChange({ by: { source: "property", name } })}>
              Break down by {name}
            </Item>
          ))}
        </>
      )}
      {inside !== null && (
        <>
          <MenuSeparator className="popup-line" />
          <Item onChoose={() => onChange({ period: inside.period, step: inside.step === "hour" ? null : inside.step })}>
            Open this {answer.time.step} by the {inside.step}
          </Item>
        </>
      )}
    </Menu>
  )
}
