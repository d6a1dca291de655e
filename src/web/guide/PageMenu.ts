/** On narrow screens the list of pages is shown when it is asked for. */
export const pageMenu = (): void => {
  const button = document.querySelector<HTMLButtonElement>(".menu")
  button?.addEventListener("click", () => {
    const isOpen = document.body.classList.toggle("menu-open")
    button.setAttribute("aria-expanded", String(isOpen))
  })
  document.querySelector('#pages [aria-current="page"]')?.scrollIntoView({ block: "nearest" })
}
