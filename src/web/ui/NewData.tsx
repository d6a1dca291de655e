interface Props {
  readonly isThere: boolean
  readonly onRefresh: () => void
}

/** Says that the numbers on the screen are no longer the newest, and asks for those. */
export const NewData = ({ isThere, onRefresh }: Props) => (
  <span role="status" className="new-data">
    {isThere && (
      <button type="button" className="button button-small" onClick={onRefresh}>
        <i className="new-dot" />
        New data
      </button>
    )}
  </span>
)
