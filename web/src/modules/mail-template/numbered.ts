/** Pieces that have no names of their own, by their place: none of them keeps a state. */
export const numbered = <Item>(list: readonly Item[]): { key: string; item: Item; place: number }[] =>
  list.map((item, place) => ({ key: String(place), item, place }))
