interface Props {
  /** From 1. */
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** Leads through a list that is too long to be drawn at once. */
export const Pages = ({ page, pages, onPage }: Props) =>
  pages > 1 && (
    <nav className="row" aria-label="Pages of the list">
      <button type="button" className="button button-small" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Before
      </button>
      <span>
        Page {page} of {pages}
      </span>
      <button type="button" className="button button-small" disabled={page === pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
