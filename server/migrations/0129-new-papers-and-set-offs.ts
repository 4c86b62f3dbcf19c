import { sql, type Kysely } from 'kysely'

/**
 * Carriers are asked for new papers, and hand them in by a link (decision 123). Invoices and credit notes of a carrier
 * that come to the same are set off against each other (decision 125).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await papers(db)
  await setOffs(db)
}

async function papers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table paper_link (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      "documentType" text not null check ("documentType" in ('EU_LICENSE', 'INSURANCE_DOCUMENT')),
      "departmentId" bigint not null references department,
      nonce bytea not null check (length(nonce) = 16),
      "tokenHash" bytea not null unique check (length("tokenHash") = 32),
      "createdAt" timestamptz not null,
      "expiresAt" timestamptz not null check ("expiresAt" > "createdAt"),
      "revokedAt" timestamptz
    )
  `.execute(db)
  await sql`create unique index "conflict__paper_link" on paper_link ("carrierCompanyId", "documentType")
    where "revokedAt" is null`.execute(db)
  await sql`create index on paper_link ("departmentId")`.execute(db)

  // Which paper was asked for, when, and by whom: null by itself, so many days before its end.
  await sql`
    create table paper_request (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      "documentType" text not null check ("documentType" in ('EU_LICENSE', 'INSURANCE_DOCUMENT')),
      "endsOn" date not null,
      "stepDays" int check ("stepDays" > 0),
      "askedAt" timestamptz not null,
      "askedById" bigint references "user",
      check (("stepDays" is null) = ("askedById" is not null))
    )
  `.execute(db)
  await sql`create unique index paper_request_once on paper_request
    ("carrierCompanyId", "documentType", "endsOn", "stepDays") where "stepDays" is not null`.execute(db)
  await sql`create index on paper_request ("carrierCompanyId", "documentType", "askedAt")`.execute(db)
  await sql`create index on paper_request ("askedById")`.execute(db)

  // What comes through such a link waits until somebody has looked at it, as proofs of delivery do.
  await sql`
    alter table document
      drop constraint document_acceptance,
      add constraint document_acceptance check (
        case when "documentType" = 'PROOF_OF_DELIVERY' then acceptance is not null
          else acceptance is null or "ownerKind" = 'carrierCompany' end
        and (acceptance is null or acceptance in ('accepted', 'toCheck', 'refused')))
  `.execute(db)
  await sql`create index document_papers_to_check on document ("ownerId")
    where "ownerKind" = 'carrierCompany' and acceptance = 'toCheck'`.execute(db)
}

async function setOffs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table set_off (
      id bigint generated always as identity primary key,
      "companyId" bigint not null references company,
      "carrierCompanyId" bigint not null references carrier_company,
      -- of the invoices, and of the credit notes
      "totalCents" bigint not null check ("totalCents" > 0),
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "takenBackAt" timestamptz,
      "takenBackById" bigint references "user"
    )
  `.execute(db)
  for (const column of ['companyId', 'carrierCompanyId', 'createdById', 'takenBackById'])
    await sql`create index on set_off (${sql.ref(column)})`.execute(db)
  await sql`
    create table set_off_item (
      "setOffId" bigint not null references set_off,
      "invoiceId" bigint not null references invoice,
      -- negative: a credit note
      "amountCents" bigint not null check ("amountCents" <> 0),
      "isValid" boolean not null default true,
      primary key ("setOffId", "invoiceId")
    )
  `.execute(db)
  await sql`create index on set_off_item ("invoiceId")`.execute(db)
  // An invoice is set off once, also when two people press the button at once.
  await sql`create unique index "conflict__invoiceIds__set_off" on set_off_item ("invoiceId")
    where "isValid"`.execute(db)

  // What was set off stays so as a whole, or is taken back as a whole: looked at when the transaction ends.
  await sql`
    create function check_set_off() returns trigger language plpgsql as $$
    declare
      of_invoice bigint;
      broken bigint;
    begin
      if tg_table_name = 'invoice' then of_invoice := new.id; else of_invoice := new."invoiceId"; end if;
      select item."setOffId" into broken from set_off_item mine
        join set_off_item item on item."setOffId" = mine."setOffId"
        join set_off whole on whole.id = item."setOffId" join invoice i on i.id = item."invoiceId"
        where mine."invoiceId" = of_invoice
        group by item."setOffId", whole."companyId", whole."carrierCompanyId"
        having bool_or(item."isValid") and (sum(item."amountCents") <> 0 or not bool_and(item."isValid"
          and i.status = 'paid' and i."totalCents" = item."amountCents"
          and i."companyId" is not distinct from whole."companyId"
          and i."carrierCompanyId" is not distinct from whole."carrierCompanyId"));
      if found then
        raise exception 'set-off % is a whole', broken using errcode = 'check_violation',
          constraint = 'conflict__to__set_off';
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create constraint trigger whole_set_off after update on invoice deferrable initially deferred
    for each row when (old."entityType" = 'carrier') execute function check_set_off()`.execute(db)
  await sql`create constraint trigger whole_set_off after insert or update on set_off_item
    deferrable initially deferred for each row execute function check_set_off()`.execute(db)
}
