import { sql } from 'kysely'
import { provenDropOffs, provesAlone } from '@waybill/contract/order/papers/pod'
import type { Ctx } from '../../../kit/context/context.ts'

/** An accepted proof of delivery, and the order with whose invoice it may go. */
export interface BilledProof {
  documentId: number
  orderId: number
}

type ProvenStops = Parameters<typeof provesAlone>[1]

interface Candidate extends BilledProof {
  locationIds: number[] | null
  routeId: number | null
  /** the order that was driven: the one that is billed, or the one that it was merged into */
  transportId: number
  /** nobody else's goods are on its papers */
  isWhole: boolean
}

/** Of an order that is billed: what was driven, and which lines of it. */
interface Shared {
  orderId: number
  transportId: number
  stops: ProvenStops
  /** lines that who pays for the order may see, and those that the order itself is about */
  seenCargo: number[]
  ownCargo: number[]
}

/**
 * Stops and lines of trucks with the goods of several. Of an order its customer's own lines may be seen, where it has
 * several those of who pays; of a merged truck also those of other orders of the same customer that the same one pays.
 */
async function sharedParts(ctx: Ctx, orderIds: readonly number[]): Promise<Shared[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<Shared>`
    with billed as (
      select o.id, t.id as "transportId", o."billingCustomerId", o."customerIds",
          case when cardinality(o."customerIds") = 1 then o."customerIds"[1] else o."billingCustomerId" end as reader
        from "order" o join "order" t on t.id in (o.id, o."mergedIntoId") where o.id = any(${orderIds}::bigint[])
    ), line as (
      select b.id as "orderId", b."transportId", c.id, b.id = coalesce(c."sourceOrderId", b.id) as "isOwn"
        from billed b
          join cargo c on c."orderId" = b."transportId" and coalesce(c."customerId", b."customerIds"[1]) = b.reader
          left join "order" source on source.id = c."sourceOrderId"
        where b."transportId" = b.id or b.id = source.id
          or (source."customerIds" = b."customerIds" and source."billingCustomerId" = b."billingCustomerId")
    )
    select b.id as "orderId", b."transportId",
        coalesce((select json_agg(json_build_object('id', l.id, 'routeId', l."routeId", 'kind', l.kind,
          'canceledAt', l."canceledAt", 'cargoActions', coalesce((select json_agg(json_build_object(
            'cargoId', ca."cargoId", 'action', ca.action)) from cargo_action ca where ca."locationId" = l.id), '[]')))
          from location l where l."orderId" = b."transportId"), '[]') as stops,
        coalesce((select json_agg(line.id) from line
          where line."orderId" = b.id and line."transportId" = b."transportId"), '[]') as "seenCargo",
        coalesce((select json_agg(line.id) from line
          where line."orderId" = b.id and line."transportId" = b."transportId" and line."isOwn"), '[]') as "ownCargo"
      from billed b
  `.execute(ctx.db)
  return rows
}

/** True where a paper of a truck with the goods of several is of this order's, and of nobody else's. */
function goesWith(proof: Candidate, { stops, seenCargo, ownCargo }: Shared): boolean {
  const own = new Set(ownCargo)
  const isOwn = provenDropOffs(proof, stops).some(
    ({ canceledAt, cargoActions = [] }) =>
      !canceledAt && cargoActions.some(({ action, cargoId }) => action === 'DROP_OFF' && own.has(cargoId ?? 0)),
  )
  return isOwn && provesAlone(proof, stops, new Set(seenCargo))
}

/**
 * The accepted proofs of delivery that may go with the invoices of these orders, in their order and each once: those of
 * an order and of the one that it was merged into, never one that shows the goods of another customer (decision 145).
 */
export async function billedProofs(ctx: Ctx, orderIds: readonly number[]): Promise<BilledProof[]> {
  const { rows: found } = await sql<Candidate>`
    select d.id as "documentId", o.id as "orderId", d."ownerId" as "transportId", a."routeId",
        to_json(d."locationIds") as "locationIds",
        d."ownerId" = o.id and (select count(*) from order_customer c where c."orderId" = o.id) = 1 as "isWhole"
      from "order" o
        join document d on d."ownerKind" = 'order' and d."ownerId" = any(array[o.id, o."mergedIntoId"])
        left join assignment a on a.id = d."orderCarrier"
      where o.id = any(${orderIds}::bigint[]) and d."documentType" = 'PROOF_OF_DELIVERY' and d.acceptance = 'accepted'
        and d."deletedAt" is null
      order by array_position(${orderIds}::bigint[], o.id), d.id
  `.execute(ctx.db)
  const asked = new Set(found.flatMap(({ orderId, isWhole }) => (isWhole ? [] : [orderId])))
  const parts = await sharedParts(ctx, [...asked])
  const partOf = (proof: Candidate) =>
    parts.find((part) => part.orderId === proof.orderId && part.transportId === proof.transportId)
  const proofs = new Map<number, BilledProof>()
  for (const proof of found) {
    const { documentId, orderId, isWhole } = proof
    const part = isWhole ? undefined : partOf(proof)
    if ((isWhole || (part && goesWith(proof, part))) && !proofs.has(documentId))
      proofs.set(documentId, { documentId, orderId })
  }
  return [...proofs.values()]
}
