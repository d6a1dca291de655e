import type { ReactNode } from "react"

interface Props {
  /** Why it cannot be used; null where it can. */
  readonly denied: string | null
  readonly onClick: () => void
  readonly children: ReactNode
  /** Classes beside `button`. */
  readonly look?: string
  /** What it does, where its words alone do not say what with: "Revoke Roblox client". */
  readonly label?: string
  readonly isBusy?: boolean
}

/** A button that says why it cannot be used. */
export const DeniableButton = ({ denied, onClick, children, look = "", label, isBusy = false }: Props) => (
  <button
    type="button"
    className={`button ${look}`}
    aria-label={label}
    disabled={denied !== null || isBusy}
    title={denied ?? undefined}
    onClick={onClick}
  >
    {children}
  </button>
)
