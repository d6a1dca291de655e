import type { ReactNode } from "react"

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** Stands on the right of the title. */
  readonly action?: ReactNode
  /** Why nothing can be changed here; null where something can. */
  readonly denied?: string | null
}

/** A card of settings with its title. */
export const Section = ({ title, children, action, denied = null }: Props) => (
  <section className="card settings-section" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {action}
    </header>
    {denied !== null && <p className="faint">{denied}</p>}
    {children}
  </section>
)

/** A page of settings. */
export const SettingsPage = ({
  title,
  lead,
  action,
  children
}: {
  readonly title: string
  readonly lead: string
  readonly action?: ReactNode
  readonly children: ReactNode
}) => (
  <div className="page">
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      {action}
    </header>
    {children}
  </div>
)
