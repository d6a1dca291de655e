import { Component, type ComponentType, type ReactNode, useEffect, useRef } from "react"
import { useLocation, useSearch } from "wouter"
import { LoadAgain } from "../ui/Loadable.tsx"
import { InsteadOfPage } from "./InsteadOfPage.tsx"

/** Stands in the place of a page that failed while it was drawn, until the address changes. */
const Undrawn = ({ again }: { readonly again: () => void }) => {
  const address = useLocation()[0] + useSearch()
  const failedAt = useRef(address)
  useEffect(() => {
    if (address !== failedAt.current) again()
  }, [address, again])
  return (
    <InsteadOfPage>
      <LoadAgain title="This page cannot be shown">
        It failed while it was drawn, which is a fault of the dashboard. Nothing that is stored is touched by it. Where
        loading it again does not help, its address may hold what it cannot show: open the page from the left.
      </LoadAgain>
    </InsteadOfPage>
  )
}

interface State {
  readonly isFailed: boolean
}

/** Keeps what fails while it is drawn from taking the whole window with it: without it React removes everything. */
class Kept extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { isFailed: false }
  private readonly again = () => this.setState({ isFailed: false })

  static getDerivedStateFromError(): State {
    return { isFailed: true }
  }

  override render(): ReactNode {
    return this.state.isFailed ? <Undrawn again={this.again} /> : this.props.children
  }
}

/** The script of a page, which says so where the page fails. */
export const kept = <Chunk extends { readonly default: ComponentType }>(chunk: Chunk): Chunk => {
  const Page = chunk.default
  const KeptPage = () => (
    <Kept>
      <Page />
    </Kept>
  )
  return { ...chunk, default: KeptPage }
}
