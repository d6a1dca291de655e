import type { ReactNode } from "react"
import { Button } from "./Button.tsx"

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
      <Button type="button" className="button button-small" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Before
      </Button>
      <span>
        Page {page} of {pages}
      </span>
      <Button type="button" className="button button-small" disabled={page === pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )

interface MoreProps {
  /** A list that is asked for page by page. */
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly error: Error | null
    readonly fetchNextPage: () => unknown
  }
  readonly children?: ReactNode
  /** What it says while the next page is asked for. */
  readonly busy?: string
  /** Classes beside `button`. */
  readonly look?: string
}

/** Asks for the next page of a list. Where that fails it says so, keeps what there is, and asks again when it is pressed again. */
export const ShowMore = ({ list, children = "Show more", busy = "Loading …", look = "" }: MoreProps) =>
  list.hasNextPage && (
    <>
      {list.isFetchNextPageError && !list.isFetchingNextPage && (
        <p className="form-error" role="alert">
          There is more, but it did not come: {list.error?.message}
        </p>
      )}
      <Button
        type="button"
        className={`button ${look}`}
        disabled={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {list.isFetchingNextPage ? busy : children}
      </Button>
    </>
  )
