interface Props {
  readonly name: string
  /** The page to which the sign-in leads back. */
  readonly returnTo: string
}

/** The way in through the provider that the server knows: an address of the server, which leads on. */
export const Provider = ({ name, returnTo }: Props) => (
  <a className="button button-large" href={`/users/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`}>
    Sign in with {name}
  </a>
)
