// How many rows a request makes the database read, by the plans of what it sends.
import pg from 'pg'
import { expect } from 'vitest'
import type { Caller } from '../app.ts'

interface Statement {
  text: string
  values: unknown[]
  /** prepared under a name: its plan may be one for all values */
  isNamed: boolean
}

/** The statements that fit which one request sends, as the driver gets them. */
export async function statementsOf(
  caller: Caller,
  path: string,
  fits: RegExp,
  headers: Record<string, string> = {},
): Promise<Statement[]> {
  const found: Statement[] = []
  const original = pg.Client.prototype.query
  const watch = function (this: pg.Client, ...args: unknown[]) {
    const [config, values] = args as [string | { text?: string; values?: unknown[]; name?: string }, unknown]
    const text = typeof config === 'string' ? config : config.text
    if (text && fits.test(text)) {
      found.push({
        text,
        values: (typeof config === 'string' ? (Array.isArray(values) ? values : []) : config.values) ?? [],
        isNamed: typeof config === 'object' && Boolean(config.name),
      })
    }
    return (original as (...given: unknown[]) => unknown).apply(this, args)
  }
  pg.Client.prototype.query = watch as typeof original
  try {
    const answer = await caller.get(path, { headers })
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  } finally {
    pg.Client.prototype.query = original
  }
  return found
}

/**
 * Every statement of a request that is asked for again and again: what is known by then is not counted again, and what
 * comes back is prepared under a name, but for what is marked to be planned with its values.
 */
export async function statementsOfRepeated(
  caller: Caller,
  path: string,
  fits: RegExp,
  headers: Record<string, string> = {},
): Promise<Statement[]> {
  const first = await statementsOf(caller, path, fits, headers)
  const again = await statementsOf(caller, path, fits, headers)
  const once = first.filter(({ text }) => !again.some((other) => other.text === text))
  return [...again, ...once].map((statement) => ({ ...statement, isNamed: !statement.text.startsWith('/*') }))
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

const childrenOf = (plan: Plan): Plan[] => plan.Plans ?? []

/**
 * Rows of tables that a plan took into its hands; what it drops by a filter was read as well. `below` says which
 * children to go into.
 */
export function rowsRead(plan: Plan, below: (child: Plan) => boolean = () => true): number {
  const isScan = /^(Seq|Index|Index Only|Bitmap Heap|Tid|Sample) Scan$/.test(plan['Node Type'])
  const here = isScan
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
      plan['Actual Loops']
    : 0
  return childrenOf(plan)
    .filter(below)
    .reduce((sum, child) => sum + rowsRead(child, below), here)
}

const isLimit = (plan: Plan): boolean => plan['Node Type'] === 'Limit'
const limitsIn = (plan: Plan): Plan[] => (isLimit(plan) ? [plan] : childrenOf(plan).flatMap(limitsIn))

/**
 * A statement may hold page and count at once: each stops at a limit of its own, and what is read around them belongs
 * to both.
 */
export function rowsReadByTheWorstPart(plan: Plan): number {
  const around = rowsRead(plan, (child) => !isLimit(child))
  return around + Math.max(0, ...limitsIn(plan).map((part) => rowsRead(part)))
}

/** The plan in lines, for those who must mend it. */
export function shape(plan: Plan, depth = 0): string {
  const rows =
    `${plan['Actual Rows']}` +
    `${plan['Rows Removed by Filter'] ? ` of ${plan['Actual Rows'] + plan['Rows Removed by Filter']}` : ''} × ` +
    `${plan['Actual Loops']}`
  const line =
    `${'  '.repeat(depth)}${plan['Node Type']}${plan['Relation Name'] ? ` ${plan['Relation Name']}` : ''}` +
    `${'Index Name' in plan ? ` by ${String(plan['Index Name'])}` : ''}: ${rows}`
  return [line, ...(plan.Plans ?? []).map((child) => shape(child, depth + 1))].join('\n')
}

/** A value as the driver sends it, in SQL's own words; a list becomes an array. */
function literal(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value))
    return client.escapeLiteral(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`)
  return client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

/**
 * The plan as it runs: with its values, and for a named statement also the one for any values, which PostgreSQL may
 * take after five runs.
 */
export async function plansOf(client: pg.Client, { text, values, isNamed }: Statement): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const mode of isNamed ? ['force_custom_plan', 'force_generic_plan'] : ['force_custom_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`)
    await client.query(`prepare asked as ${text}`)
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, format json)
        execute asked${values.length > 0 ? `(${values.map((value) => literal(client, value)).join(', ')})` : ''}`,
    )
    await client.query('deallocate asked')
    plans.push(rows[0]!['QUERY PLAN'][0]!.Plan)
  }
  return plans
}
