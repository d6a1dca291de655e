const shownMilliseconds = 2000

/** Gives every block of code a button that copies it. Browsers without a safe connection have no clipboard, and get none. */
export const copyButtons = (): void => {
  if (!isSecureContext) return
  for (const block of document.querySelectorAll<HTMLElement>('.block[data-kind="code"]')) {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = "Copy"
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "").then(() => {
        button.textContent = "Copied"
        setTimeout(() => (button.textContent = "Copy"), shownMilliseconds)
      })
    })
    block.append(button)
  }
}
