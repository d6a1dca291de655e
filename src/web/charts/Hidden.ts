type Keys = ReadonlyArray<string>

/** Hidden series, after one of them was hidden or shown. */
export const toggled = (hidden: Keys, key: string): Keys =>
  hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key]

/** Hidden series, after one of `all` was shown alone; all are shown again where it is alone already. */
export const isolated = (hidden: Keys, all: Keys, key: string): Keys => {
  const others = all.filter((each) => each !== key)
  return others.every((each) => hidden.includes(each)) ? [] : others
}
