UPDATE "sandbox"."card_objects"
SET "kept" = jsonb_set("kept"::jsonb, '{hidden}', jsonb_build_object('secret', "kept" #>> '{hidden,secrets,0,value}'))::json
WHERE "kind" = 'webhook_endpoint';
