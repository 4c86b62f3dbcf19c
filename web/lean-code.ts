/** A piece of a program, as the parser of the build reads it. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** Every piece in a piece, itself first. */
export function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one)
  if (!isNode(value)) return
  yield value
  for (const [field, inner] of Object.entries(value)) if (field !== 'type') yield* nodesIn(inner)
}

/** Takes the property with the comma behind it out of the code. */
export function withoutProperty(code: string, { start, end }: Node): string {
  const rest = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0
  return code.slice(0, start) + code.slice(end + rest)
}
