INSERT INTO "account"."provider_operations" ("id", "member_id", "provider", "kind", "subject", "object_id", "input", "result", "status", "problem", "detail", "address", "request_id", "created_at", "called_at", "next_check_at", "gives_up_at", "resolved_at")
SELECT a.id, a.member_id, 'card',
	CASE a.purpose WHEN 'card.added' THEN 'card.add' WHEN 'card.updated' THEN 'card.update' WHEN 'card.default_set' THEN 'card.set_default' ELSE 'card.remove' END,
	a.payment_method_id, a.intent_id,
	jsonb_build_object('customerId', coalesce(c.customer_id, ''), 'paymentMethodId', a.payment_method_id) || a.details,
	CASE WHEN a.declined_at IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('declines', greatest(a.declines, 1), 'declinedAt', a.declined_at) END,
	CASE a.status WHEN 'open' THEN 'pending' WHEN 'declined' THEN 'failed' WHEN 'refused' THEN 'failed' ELSE a.status END,
	CASE WHEN a.status = 'declined' THEN 'card_refused' ELSE a.problem END,
	a.detail, a.address, a.request_id, a.created_at, a.created_at, a.look_at,
	CASE WHEN a.status = 'requires_action' THEN a.created_at + interval '30 minutes' END,
	a.settled_at
FROM "account"."payment_attempts" a LEFT JOIN "account"."provider_customers" c ON c.member_id = a.member_id;--> statement-breakpoint
INSERT INTO "account"."idempotency_keys" ("member_id", "key", "fingerprint", "operation_id", "created_at")
SELECT member_id, request_key, request_print, id, created_at FROM "account"."payment_attempts" WHERE request_key IS NOT NULL;--> statement-breakpoint
INSERT INTO "account"."idempotency_keys" ("member_id", "key", "fingerprint", "created_at")
SELECT member_id, key, print, created_at FROM "account"."request_keys" ON CONFLICT DO NOTHING;--> statement-breakpoint
DELETE FROM "account"."provider_customers" WHERE "customer_id" IS NULL;--> statement-breakpoint
UPDATE "account"."provider_customers" SET "address_fingerprint" = "address_print";--> statement-breakpoint
ALTER TABLE "account"."payment_attempts" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "account"."request_keys" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "account"."payment_attempts" CASCADE;--> statement-breakpoint
DROP TABLE "account"."request_keys" CASCADE;--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ALTER COLUMN "customer_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP COLUMN "idempotency_key";--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP COLUMN "email";--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP COLUMN "address_print";--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP COLUMN "changing_until";--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP COLUMN "changing";