/* What Redis does for a farm, each as one step. The keys of a job are raddle:JOB:meta (a hash), :log (a
 * stream) and :alive:N; they expire together when nobody has been there for a week. */
#ifndef FARM_SCRIPTS_H
#define FARM_SCRIPTS_H

#define SCRIPT_KEEP "604800"
#define SCRIPT_MARK "raddle-farm-1"

/* KEYS: meta. ARGV: identity, memory, token. Gives participant, token, identity. */
#define SCRIPT_JOIN                                                                                \
    "local t = redis.call('TYPE', KEYS[1]).ok\n"                                                   \
    "if t == 'none' then\n"                                                                        \
    "  redis.call('HSET', KEYS[1], 'mark', '" SCRIPT_MARK "', 'identity', ARGV[1], 'memory', ARGV[2],\n"  \
    "    'token', ARGV[3], 'made', redis.call('TIME')[1], 'n', 0, 'bytes', 0, 'participants', 0)\n"    \
    "  redis.call('EXPIRE', KEYS[1], " SCRIPT_KEEP ")\n"                                            \
    "elseif t ~= 'hash' or redis.call('HGET', KEYS[1], 'mark') ~= '" SCRIPT_MARK "' then\n"         \
    "  return redis.error_reply('FOREIGN')\n"                                                      \
    "end\n"                                                                                        \
    "return {redis.call('HINCRBY', KEYS[1], 'participants', 1), redis.call('HGET', KEYS[1], 'token'),\n" \
    "  redis.call('HGET', KEYS[1], 'identity')}"

#define SCRIPT_CHECK                                                                               \
    "if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return redis.error_reply('REMOVED') end\n"
#define SCRIPT_ADD                                                                                 \
    "if redis.call('HINCRBY', KEYS[1], 'bytes', #ARGV[2] + 64) >\n"                                \
    "   tonumber(redis.call('HGET', KEYS[1], 'memory')) then\n"                                    \
    "  redis.call('HINCRBY', KEYS[1], 'bytes', -#ARGV[2] - 64)\n"                                  \
    "  return redis.error_reply('FULL')\n"                                                         \
    "end\n"                                                                                        \
    "local n = redis.call('HINCRBY', KEYS[1], 'n', 1)\n"                                           \
    "redis.call('XADD', KEYS[2], n .. '-1', 'm', ARGV[2])\n"                                       \
    "return n"

/* KEYS: meta, log. ARGV: token, message. Gives its number. */
#define SCRIPT_APPEND SCRIPT_CHECK SCRIPT_ADD

/* KEYS: meta, log, alive. ARGV: token, message. The message, if nobody keeps the key. */
#define SCRIPT_GONE                                                                                \
    SCRIPT_CHECK "if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end\n" SCRIPT_ADD

/* KEYS: meta, log, alive. ARGV: token, what it says, lease in ms. Gives how many entries there are. */
#define SCRIPT_ALIVE                                                                               \
    SCRIPT_CHECK                                                                                   \
    "redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])\n"                                         \
    "redis.call('EXPIRE', KEYS[1], " SCRIPT_KEEP ")\n"                                              \
    "redis.call('EXPIRE', KEYS[2], " SCRIPT_KEEP ")\n"                                              \
    "return tonumber(redis.call('HGET', KEYS[1], 'n'))"

#endif
