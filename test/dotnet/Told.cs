// Tells whether the client for .NET holds up others that track, while the game is told of a problem.
using System;
using System.Threading.Tasks;

public static class Told
{
    public static void Main(string[] args)
    {
        Gamekeeper.Client client = null;
        var isFirst = true;
        client = new Gamekeeper.Client(new Gamekeeper.Options
        {
            Url = "http://127.0.0.1:1", Key = "sdk_test", Folder = args[0], FlushSeconds = 3600, MostWaiting = 1,
            OnProblem = (kind, message) =>
            {
                if (!isFirst) return;
                isFirst = false;
                var other = Task.Run(() => client.Track("Other", "bob"));
                Console.WriteLine(kind + " " + (other.Wait(10000) ? "free" : "held"));
            }
        });
        client.Track("First", "ada");
        client.Track("Second", "ada");
    }
}
