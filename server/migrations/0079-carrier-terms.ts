import { sql, type Kysely } from 'kysely'

/** Payment periods agreed with carriers, and what of a carrier's invoice is for which route (decision 077). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['assignment', 'carrier_company'])
    await sql`alter table ${sql.ref(table)} add column "paymentPeriodDays" int
      check ("paymentPeriodDays" between 0 and 365)`.execute(db)
  await sql`alter table invoice add column "isDueAgreed" boolean not null default false`.execute(db)

  // Who drove a route before another carrier took it may still charge for it.
  await sql`
    create table former_carrier (
      "routeId" bigint not null references route on delete cascade,
      "carrierCompanyId" bigint not null references carrier_company,
      primary key ("routeId", "carrierCompanyId")
    )
  `.execute(db)
  await sql`create index on former_carrier ("carrierCompanyId")`.execute(db)
  await sql`
    create function keep_former_carrier() returns trigger language plpgsql as $$
    begin
      if old."carrierCompanyId" is not null
        and (tg_op = 'DELETE' or old."carrierCompanyId" is distinct from new."carrierCompanyId")
        and exists (select 1 from route r where r.id = old."routeId")
      then
        insert into former_carrier ("routeId", "carrierCompanyId") values (old."routeId", old."carrierCompanyId")
          on conflict do nothing;
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger keep_former_carrier after update of "carrierCompanyId" or delete on assignment
    for each row execute function keep_former_carrier()`.execute(db)
  // Whom a link was made for had the route at that time.
  await sql`
    insert into former_carrier ("routeId", "carrierCompanyId")
    select distinct r.id, l."carrierCompanyId" from upload_link l join route r on r.id = l."routeId"
    where not exists (select 1 from assignment a
      where a."routeId" = r.id and a."carrierCompanyId" = l."carrierCompanyId")
  `.execute(db)

  await sql`
    create table invoice_allocation (
      "invoiceId" bigint not null references invoice on delete cascade,
      position int not null,
      "routeId" bigint not null references route,
      "netCents" bigint not null,
      primary key ("invoiceId", "routeId")
    )
  `.execute(db)
  await sql`create index on invoice_allocation ("routeId")`.execute(db)
  await sql`
    insert into invoice_allocation ("invoiceId", position, "routeId", "netCents")
    select i.id, 0, i."routeId", i."amountCents" from invoice i
    where i."entityType" = 'carrier' and i."routeId" is not null
  `.execute(db)
  await sql`
    with meant as (
      select i.id, i."amountCents", min(r.id) as "routeId"
      from invoice i join invoice_order link on link."invoiceId" = i.id join route r on r."orderId" = link."orderId"
        join assignment a on a."routeId" = r.id and a."carrierCompanyId" = i."carrierCompanyId"
      where i."entityType" = 'carrier' and i."routeId" is null
        and (select count(*) from invoice_order every where every."invoiceId" = i.id) = 1
      group by i.id having count(*) = 1
    ), given as (
      insert into invoice_allocation ("invoiceId", position, "routeId", "netCents")
      select id, 0, "routeId", "amountCents" from meant
    )
    update invoice i set "routeId" = meant."routeId" from meant where i.id = meant.id
  `.execute(db)

  await sql`
    insert into former_carrier ("routeId", "carrierCompanyId")
    select distinct share."routeId", i."carrierCompanyId"
    from invoice_allocation share join invoice i on i.id = share."invoiceId"
    where not exists (select 1 from assignment a
      where a."routeId" = share."routeId" and a."carrierCompanyId" = i."carrierCompanyId")
    on conflict do nothing
  `.execute(db)

  // At the end of the transaction: header and allocations are written by several statements.
  await sql`
    create function check_allocations_sum() returns trigger language plpgsql as $$
    declare
      wanted constant bigint := case when tg_table_name = 'invoice' then (to_jsonb(new) ->> 'id')::bigint
        else (to_jsonb(coalesce(new, old)) ->> 'invoiceId')::bigint end;
    begin
      if exists (
        select 1 from invoice i join invoice_allocation share on share."invoiceId" = i.id where i.id = wanted
        group by i.id having sum(share."netCents") <> i."amountCents" or i."entityType" <> 'carrier'
      ) then
        raise exception 'the allocations of invoice % are not its amount', wanted
          using errcode = 'check_violation', constraint = 'conflict__allocations__allocations_sum';
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create constraint trigger allocations_sum after insert or update or delete on invoice_allocation
    deferrable initially deferred for each row execute function check_allocations_sum()`.execute(db)
  await sql`create constraint trigger allocations_sum after update of "amountCents", "entityType" on invoice
    deferrable initially deferred for each row execute function check_allocations_sum()`.execute(db)
}
