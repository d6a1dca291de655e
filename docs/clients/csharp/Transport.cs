// The requests of the client for .NET, and what their answers say, for Gamekeeper.cs.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

namespace Gamekeeper
{
    using Values = Dictionary<string, object>;

    /// <summary>What the server answers. The status is 0 where it does not.</summary>
    sealed class Answer
    {
        public int Status;
        public Values Body;
        public string Words = "no answer";
        /// <summary>For how many seconds the server asks to be left alone.</summary>
        public double RetryAfter;
        /// <summary>A later try hardly changes such an answer, such as that of a revoked key.</summary>
        public bool IsRefusal { get { return Status >= 400 && Status < 500 && Status != 408 && Status != 429; } }
        /// <summary>No later try changes what is said of such a body: it is too large, no JSON, or nested too deep. Refusals of the key may be 400 too.</summary>
        public bool IsOfBody { get { return Status == 413 || Status == 400 && (Code == "MALFORMED_JSON" || Code == "VALIDATION_FAILED" && Message.StartsWith("body:", StringComparison.Ordinal)); } }
        string Code { get { return Body != null && Body.ContainsKey("code") ? Body["code"] as string : null; } }
        public string Message { get { return Status == 0 ? Words : Body != null && Body.ContainsKey("message") ? Body["message"] + "" : "status " + Status; } }

        /// <summary>The objects of a list in the body.</summary>
        public IEnumerable<Values> Listed(string name)
        {
            object list = null;
            if (Body != null) Body.TryGetValue(name, out list);
            return (list as List<object> ?? new List<object>()).OfType<Values>();
        }
    }

    sealed class Transport : IDisposable
    {
        readonly string url;
        readonly double timeoutSeconds;
        readonly HttpClient http;

        public Transport(Options options, string environment)
        {
            url = options.Url.TrimEnd('/');
            timeoutSeconds = options.TimeoutSeconds;
            http = new HttpClient { Timeout = TimeSpan.FromSeconds(timeoutSeconds) };
            http.DefaultRequestHeaders.TryAddWithoutValidation("authorization", options.Key);
            http.DefaultRequestHeaders.TryAddWithoutValidation("environment", environment);
        }

        /// <summary>A GET without a body, else a POST. Nothing is thrown.</summary>
        public async Task<Answer> Ask(string path, string body)
        {
            try
            {
                using (var request = new HttpRequestMessage(body == null ? HttpMethod.Get : HttpMethod.Post, url + path))
                {
                    if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
                    using (var response = await http.SendAsync(request).ConfigureAwait(false))
                    {
                        var text = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                        return new Answer { Status = (int)response.StatusCode, Body = Json.Read(text) as Values, RetryAfter = RetryAfterIn(response) };
                    }
                }
            }
            catch (OperationCanceledException) { return new Answer { Words = "no answer within " + timeoutSeconds + " s" }; }
            catch (Exception error) { return new Answer { Words = error.GetBaseException().Message }; }
        }

        // A date is compared with the clock of whoever answered, where that is told: a player's may be wrong.
        static double RetryAfterIn(HttpResponseMessage response)
        {
            var after = response.Headers.RetryAfter;
            if (after == null) return 0;
            if (after.Date == null) return after.Delta == null ? 0 : after.Delta.Value.TotalSeconds;
            return Math.Max(0, (after.Date.Value - (response.Headers.Date ?? DateTimeOffset.UtcNow)).TotalSeconds);
        }

        public void Dispose() { http.Dispose(); }
    }
}
